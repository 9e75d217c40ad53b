#include "solve/frank_wolfe/corner_state.h"

#include <algorithm>
#include <chrono>

#include "solve/frank_wolfe/corner_states.h"

namespace gapwise::internal {

CornerState::CornerState(const RunContext& context, std::int32_t max_age)
    : context_(context),
      oracle_(context.team.leader()),
      max_age_(max_age),
      most_corners_(static_cast<int>(std::max(context.options.cache, context.options.max_active))),
      point_(context.n(), context.d(), context.lambda, context.nonnegative()),
      corners_(static_cast<std::size_t>(context.n())),
      gaps_(context.n(), context.options.sampling == Sampling::kGap),
      averager_(context.options.average, context.n(), context.d()),
      local_(point_, context.n()) {}

int CornerState::ask(Index i) {
  i_ = i;
  oracle_.argmax(i, point_.w(), theta_, corner_);
  work_ += context_.problem.oracle_cost();
  const bool is_exact = corner_.is_exact;
  const double found = violation(corner_.loss, corner_.parts, theta_);
  const double most = promised_most(corner_, found);
  if (found < 0.0) corner_.set_truth();
  int s = remember(i, corner_);
  corners(i).pick_scores(theta_, scores_);
  local_.start(oracle_, i, corners(i), scores_);
  const int best = local_.best();
  if (local_.violation(best) > most) {
    check_known(i, theta_, corner_, most, local_.violation(best));
  }
  if (!is_exact) s = best;
  gaps_.record(i, std::max(0.0, local_.gap(s)));
  return s;
}

std::optional<int> CornerState::recall(Index i) {
  if (corners(i).size() < 2) return std::nullopt;
  i_ = i;
  corners(i).score(oracle_, i, point_.w(), scores_);
  work_ += static_cast<double>(scores_.size());
  cached_work_ += static_cast<double>(scores_.size());
  local_.start(oracle_, i, corners(i), scores_);
  return local_.best();
}

void CornerState::use_recalled(int s) {
  corners(i_).touch(s, pass_);
  ++cached_steps_;
}

void CornerState::finish(double gain) {
  if (!local_.has_moved()) return averager_.add_nothing();
  local_.finish(gain, move_.parts, move_.loss);
  averager_.add(oracle_, i_, move_.parts, point_.scale(),
                move_.loss / static_cast<double>(context_.n()));
}

int CornerState::remember(Index i, const Corner& corner) {
  corners(i).forget(pass_ - max_age_);
  corners(i).shrink(most_corners_ - 1, !context_.options.keep_outputs);
  return corners(i).place(corner, pass_);
}

void CornerState::remember_if_room(Index i, const Corner& corner) {
  corners(i).forget(pass_ - max_age_);
  if (corners(i).size() < most_corners_) corners(i).place(corner, pass_);
}

DualMixtures CornerState::mixtures() const {
  DualMixtures mixtures(corners_.size());
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    corners_[i].combine(mixtures[i].parts, mixtures[i].loss);
  }
  return mixtures;
}

void CornerState::put(const DualMixtures& mixtures) {
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    corners_[i] = CornerSet::at(mixtures[i].parts, mixtures[i].loss);
  }
  rebuild();
}

void CornerState::put(const std::vector<CornerSet>& corners, double share) {
  corners_ = corners;
  for (CornerSet& set : corners_) set.give_to_truth(share);
  rebuild();
}

std::vector<BlockState> CornerState::rebuild() {
  return rebuild_from_corners(oracle_, corners_, point_);
}

Measurement CornerState::gap_pass() {
  const std::vector<BlockState> states = rebuild();
  if (averager_.is_on()) return measure_average(context_, averager_, point_);
  std::vector<double> gaps(corners_.size());
  const Measurement measurement =
      ask_all(point_.w(), [&](Index i, const PartScores& theta, double found) {
        const BlockState& state = states[static_cast<std::size_t>(i)];
        gaps[static_cast<std::size_t>(i)] = found - violation(state.loss, state.parts, theta);
      });
  for (Index i = 0; i < context_.n(); ++i) {
    const double gap = gaps[static_cast<std::size_t>(i)] / static_cast<double>(context_.n());
    gaps_.record(i, std::max(0.0, gap));
  }
  measured_gap_ = gaps_.estimate();
  return measurement;
}

Measurement CornerState::ask_all(Weights w, const Visit& visit) {
  GapPass pass;
  pass.known = [this](Index i, const PartScores& theta) {
    return corners(i).best_violation(theta);
  };
  pass.see = [&](Index i, const PartScores& theta, const Corner& corner, double found) {
    if (visit) visit(i, theta, found);
    remember_if_room(i, corner);
  };
  work_ += static_cast<double>(context_.n()) * context_.problem.oracle_cost();
  return certify(context_, w, point_.dual(), pass);
}

Mark CornerState::now() const {
  if (context_.options.deterministic) return {point_.dual(), work_};
  const auto clock = std::chrono::steady_clock::now().time_since_epoch();
  return {point_.dual(), std::chrono::duration<double>(clock).count()};
}

void CornerState::save(StateWriter& out) const {
  for (const CornerSet& set : corners_) set.save(out);
  fields(*this, FieldWriter(out));
}

void CornerState::load(StateReader& in) {
  load_mixtures(in, corners_);
  fields(*this, FieldReader(in));
}

}  // namespace gapwise::internal
