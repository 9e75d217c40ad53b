#include "solve/frank_wolfe/corner_state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "solve/frank_wolfe/corner_states.h"

namespace gapwise::internal {

CornerState::CornerState(const RunContext& context, std::int32_t max_age)
    : context_(context),
      oracle_(context.team.leader()),
      max_age_(max_age),
      most_corners_(static_cast<int>(std::max(context.options.cache, context.options.max_active))),
      point_(context.n(), context.d(), context.lambda, context.nonnegative()),
      corners_(static_cast<std::size_t>(context.n())),
      can_record_(!point_.is_constrained() && context.options.average == Average::kNone &&
                  context.options.inner_steps == 1 && oracle_.has_plain_weights()),
      arena_(context.n()),
      gaps_(context.n(), context.options.sampling == Sampling::kGap),
      averager_(context.options.average, context.n(), context.d()),
      local_(point_, context.n()) {}

int CornerState::ask(Index i) {
  close_records();
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

void CornerState::ask_ahead(std::span<const Index> blocks) {
  close_records();
  answers_.ask(context_.team, blocks, point_.w(),
               [this](Index i, const PartScores& theta, const Corner& corner) {
                 check_against(i, theta, corner, corners(i).best_violation(theta));
               });
  work_ += static_cast<double>(blocks.size()) * context_.problem.oracle_cost();
}

int CornerState::use_answer() {
  const AnswerQueue::Answer& answer = answers_.next();
  remember(answer.i, answer.corner);
  look(answer.i);
  const int s = local_.best();
  corners(answer.i).touch(s, pass_);
  gaps_.record(answer.i, std::max(0.0, local_.gap(s)));
  return s;
}

std::optional<int> CornerState::recall(Index i) {
  if (!has_choice(i)) return std::nullopt;
  close_records();
  look(i);
  cached_work_ += static_cast<double>(scores_.size());
  return local_.best();
}

void CornerState::look(Index i) {
  i_ = i;
  corners(i).score(oracle_, i, point_.w(), scores_);
  work_ += static_cast<double>(scores_.size());
  local_.start(oracle_, i, corners(i), scores_);
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

bool CornerState::make_records() {
  if (!arena_.pack(oracle_, corners_)) return can_record_ = false;
  table_.fill(corners_);
  return is_open_ = true;
}

double CornerState::distance(Index i, const CornerPair& pair) {
  double& known = arena_.record(i).distances()[CornerRecord::pair(pair.best, pair.worst)];
  if (std::isnan(known)) {
    const auto product = [&](int p, int q) { return corners(i).product(oracle_, i, p, q); };
    const int s = pair.best;
    const int a = pair.worst;
    known = std::max(0.0, product(s, s) - 2.0 * product(s, a) + product(a, a));
  }
  return known;
}

double CornerState::visit_record(Index i) {
  if (table_.lanes(i) == 0) return 0.0;
  const CornerRecord record = arena_.record(i);
  const double cost = record.cost();
  work_ += cost;
  cached_work_ += cost;
  ++cached_steps_;
  double* const alpha = table_.alpha(i);
  const CornerPair pair = visit_.find(record, point_.v().data(), alpha);
  const auto [s, a, difference] = pair;
  table_.use(i, s);
  const auto n = static_cast<double>(context_.n());
  const double slope = difference / n;
  if (slope <= 0.0) return slope;
  const double curvature = distance(i, pair) * point_.scale() / n;
  const bool drops = slope >= curvature * alpha[a];
  const double gamma = drops ? alpha[a] : slope / curvature;
  alpha[s] += gamma;
  alpha[a] = drops ? 0.0 : alpha[a] - gamma;
  add_pair(record, s, a, gamma * point_.scale(), point_.steppable_v().data());
  point_.stepped(gamma * (record.losses()[s] - record.losses()[a]) / n,
                 gamma * (slope - 0.5 * gamma * curvature));
  return slope;
}

void CornerState::mark(Leap& leap) {
  if (!is_open_) return leap.mark(point_, corners_);
  leap.mark(point_);
  table_.mark();
}

void CornerState::make(Leap& leap) {
  if (!open_records()) {
    if (leap.make(oracle_, point_, corners_)) averager_.add(leap.change(), leap.ell_change());
    return;
  }
  if (leap.is_stretched()) {
    rebuild();
    return mark(leap);
  }
  leap.make(point_, table_, [&](Index i, std::span<const double> amounts, MutableWeights change) {
    const CornerRecord record = arena_.record(i);
    visit_.add_corners(record, amounts, point_.scale(), change.data());
    double loss = 0.0;
    for (int p = 0; p < record.corners(); ++p) {
      loss += amounts[static_cast<std::size_t>(p)] * record.losses()[p];
    }
    return loss;
  });
}

DualMixtures CornerState::mixtures() const {
  settle();
  DualMixtures mixtures(corners_.size());
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    corners_[i].combine(mixtures[i].parts, mixtures[i].loss);
  }
  return mixtures;
}

void CornerState::put(const DualMixtures& mixtures) {
  close_records();
  arena_.clear();
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    corners_[i] = CornerSet::at(mixtures[i].parts, mixtures[i].loss);
  }
  rebuild();
}

void CornerState::put(const std::vector<CornerSet>& corners, double share) {
  close_records();
  arena_.clear();
  corners_ = corners;
  for (CornerSet& set : corners_) set.give_to_truth(share);
  rebuild();
}

std::vector<BlockState> CornerState::rebuild() {
  close_records();
  return rebuild_from_corners(oracle_, corners_, point_);
}

Measurement CornerState::gap_pass() {
  const std::vector<BlockState> states = rebuild();
  if (averager_.is_on()) return measure_average(context_, averager_, point_);
  std::vector<double> gaps(corners_.size());
  GapPass pass;
  pass.gap = [&](Index i, const PartScores& theta, double found) {
    const BlockState& state = states[static_cast<std::size_t>(i)];
    return found - violation(state.loss, state.parts, theta);
  };
  pass.see = [&](const GapPass::Seen& seen) { gaps[static_cast<std::size_t>(seen.i)] = seen.gap; };
  const Measurement measurement = ask_all(point_.w(), std::move(pass));
  for (Index i = 0; i < context_.n(); ++i) {
    const double gap = gaps[static_cast<std::size_t>(i)] / static_cast<double>(context_.n());
    gaps_.record(i, std::max(0.0, gap));
  }
  measured_gap_ = gaps_.estimate();
  return measurement;
}

Measurement CornerState::ask_all(Weights w, GapPass pass) {
  close_records();
  pass.known = [this](Index i, const PartScores& theta) {
    return corners(i).best_violation(theta);
  };
  pass.see = [this, see = std::move(pass.see)](const GapPass::Seen& seen) {
    if (see) see(seen);
    remember_if_room(seen.i, seen.corner);
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
  settle();
  for (const CornerSet& set : corners_) set.save(out);
  fields(*this, FieldWriter(out));
}

void CornerState::load(StateReader& in) {
  is_open_ = false;
  arena_.clear();
  const bool could_record = can_record_;
  load_mixtures(in, corners_);
  fields(*this, FieldReader(in));
  in.require(could_record || !can_record_, "records that this run cannot have");
}

}  // namespace gapwise::internal
