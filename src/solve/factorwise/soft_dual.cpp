#include "solve/factorwise/soft_dual.h"

#include <cmath>

#include "core/sums.h"

namespace gapwise::internal {

SoftDual::SoftDual(const RunContext& context, RegionMove move, double rho)
    : n_(static_cast<double>(context.n())),
      beliefs_(context.problem),
      point_(context.n(), context.d(), context.lambda, context.nonnegative()),
      step_(move),
      price_(1.0 / rho),
      residuals_(static_cast<std::size_t>(context.n()), 0.0),
      sharing_(residuals_.size(), Sharing::kUnknown) {}

void SoftDual::set_rho(double rho) {
  price_ = 1.0 / rho;
  value_ = value_anew();
}

RegionGain SoftDual::step(Oracle& oracle, Index i, Index a) {
  const BlockBeliefs block = beliefs_[i];
  const RegionGain found = step_.take(oracle, i, block, block.layout().region(a), price_, point_);
  value_ += found.gain / n_;
  return found;
}

double SoftDual::sweep(MeteredOracle& oracle, Index i, const Sweeps& times) {
  double gap = 0.0;
  oracle.count([&] {
    if (!shares_weights(oracle, i)) {
      gap = sweep_whole(oracle, i, times.whole);
    } else {
      gap = sweep_regions(oracle, i);
      if (times.by_region > 1) find_active(i);
      for (int sweep = 1; sweep < times.by_region; ++sweep) sweep_active(oracle, i);
    }
    residuals_[static_cast<std::size_t>(i)] = beliefs_[i].squared_residual();
  });
  return gap / n_;
}

double SoftDual::sweep_regions(Oracle& oracle, Index i) {
  const GraphLayout& layout = beliefs_[i].layout();
  StopPoll poll;
  restless_.clear();
  double gap = 0.0;
  for (Index a = 0; a < std::ssize(layout.regions()); ++a) {
    const RegionGain found = step(oracle, i, a);
    gap += found.gap;
    if (found.gap > 0.0) restless_.push_back({a, step_.best_state()});
    poll.spend(static_cast<std::size_t>(layout.region(a).size));
  }
  return gap;
}

/// Of every region that had a gap in the last sweep: the states that have belief, and the one that
/// was best.
void SoftDual::find_active(Index i) {
  const BlockBeliefs block = beliefs_[i];
  active_.clear();
  active_starts_.assign(1, 0);
  for (const Restless& here : restless_) {
    const std::span<const double> beliefs = block.beliefs(block.layout().region(here.region));
    for (std::size_t s = 0; s < beliefs.size(); ++s) {
      const auto state = static_cast<std::int32_t>(s);
      if (beliefs[s] > 0.0 || state == here.best) active_.push_back(state);
    }
    active_starts_.push_back(active_.size());
  }
}

void SoftDual::sweep_active(Oracle& oracle, Index i) {
  const BlockBeliefs block = beliefs_[i];
  for (std::size_t k = 0; k < restless_.size(); ++k) {
    const auto states =
        std::span(active_).subspan(active_starts_[k], active_starts_[k + 1] - active_starts_[k]);
    const Region& region = block.layout().region(restless_[k].region);
    value_ += step_.take_among(oracle, i, block, region, states, price_, point_).gain / n_;
  }
}

/// The same steps, but all scores are asked for at once, and w moves at once.
double SoftDual::sweep_whole(Oracle& oracle, Index i, int times) {
  const BlockBeliefs block = beliefs_[i];
  const GraphLayout& layout = block.layout();
  const auto parts = static_cast<std::size_t>(layout.end_part());
  oracle.score(i, point_.w(), theta_);
  whole_.theta.assign(theta_.values().begin(), theta_.values().begin() + layout.end_part());
  whole_.theta.push_back(0.0);
  whole_.moved.assign(parts, 0.0);
  whole_.cost = 0.0;
  double gap = 0.0;
  double gain = 0.0;
  const int sweeps = layout.has_single_parts() ? times : 1;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const Region& region : layout.regions()) {
      const RegionGain found = step_.take(oracle, i, block, region, price_, point_.scale(), whole_);
      if (sweep == 0) gap += found.gap;
      gain += found.gain;
    }
  }
  value_ += gain / n_;
  parts_.assign_negative(whole_.moved);
  point_.apply(oracle, i, parts_, whole_.cost, 1.0, 0.0);
  return gap;
}

bool SoftDual::shares_weights(Oracle& oracle, Index i) {
  Sharing& known = sharing_[static_cast<std::size_t>(i)];
  if (known == Sharing::kUnknown) {
    // Truncated weights do not follow a move as the scores of a whole block would have them.
    known = point_.is_constrained() ? Sharing::kSome : find_sharing(oracle, i);
  }
  return known == Sharing::kSome;
}

/// If all regions have features at right angles, lengths add up for any change of beliefs. The
/// change that is tried has no pattern in which what is shared might cancel.
SoftDual::Sharing SoftDual::find_sharing(Oracle& oracle, Index i) {
  constexpr double kPattern = 0.6180339887498949;
  constexpr double kSmall = 1e-12;
  const GraphLayout& layout = beliefs_[i].layout();
  whole_.moved.assign(static_cast<std::size_t>(layout.end_part()), 0.0);
  double apart = 0.0;
  double place = 0.0;
  for (const Region& region : layout.regions()) {
    parts_.clear();
    for (const Index id : layout.ids(region)) {
      place += kPattern;
      place -= std::floor(place);
      parts_.append(id, 0.5 + place);
      whole_.moved[static_cast<std::size_t>(id)] -= 0.5 + place;
    }
    if (!parts_.empty()) apart += oracle.squared_norm(i, parts_);
  }
  parts_.assign_negative(whole_.moved);
  const double together = parts_.empty() ? 0.0 : oracle.squared_norm(i, parts_);
  return std::abs(together - apart) <= kSmall * apart ? Sharing::kNone : Sharing::kSome;
}

void SoftDual::raise_multipliers(Index i, double step) {
  beliefs_[i].raise_multipliers(step * price_);
  value_ -= step * price_ * squared_residual(i) / n_;
}

void SoftDual::raise_multipliers(double step) {
  for (Index i = 0; i < beliefs_.num_blocks(); ++i) raise_multipliers(i, step);
}

double SoftDual::squared_residual() const {
  return ordered_sum(residuals_);
}

double SoftDual::value_anew() const {
  std::vector<double> coupling;
  for (Index i = 0; i < beliefs_.num_blocks(); ++i) {
    coupling.push_back(beliefs_[i].multiplied_residual() + 0.5 * price_ * squared_residual(i));
  }
  return point_.dual() - ordered_sum(coupling) / n_;
}

void SoftDual::rebuild(Oracle& oracle) {
  BlockState state;
  std::vector<double> by_part;
  point_.rebuild(oracle, [&](Index i) -> const BlockState& {
    const BlockBeliefs block = beliefs_[i];
    block.rebuild();
    residuals_[static_cast<std::size_t>(i)] = block.squared_residual();
    beliefs_.describe(
        i, [&block](const Region& region) { return block.beliefs(region); }, by_part, state);
    return state;
  });
  value_ = value_anew();
}

void SoftDual::save(StateWriter& out) const {
  beliefs_.save(out);
  point_.save(out);
  out.f64(price_);
  out.f64(value_);
  out.weights(residuals_);
}

void SoftDual::load(StateReader& in) {
  beliefs_.load(in);
  point_.load(in);
  price_ = in.finite();
  in.require(price_ > 0.0, "a price of disagreement that no run has");
  value_ = in.finite();
  in.weights(residuals_);
}

}  // namespace gapwise::internal
