#include "solve/factorwise/region_step.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gapwise::internal {
namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t s = 0; s < a.size(); ++s) sum += a[s] * b[s];
  return sum;
}

/// The largest rise of gamma * slope - gamma^2 / 2 * curvature over [0, largest].
double line_search(double slope, double curvature, double largest) {
  if (!(slope > 0.0)) return 0.0;
  return slope >= largest * curvature ? largest : slope / curvature;
}

}  // namespace

RegionGain RegionStep::take(Oracle& oracle, Index i, const BlockBeliefs& block,
                            const Region& region, double price, DualPoint& point) {
  Line line;
  const std::span<const double> scores = scores_.at(oracle, i, point.w(), block, region, price);
  const RegionGain result = move(oracle, i, block, region, scores, price, point.scale(), line);
  if (result.gamma > 0.0) point.apply(oracle, i, parts_, line.cost, result.gamma, 0.0);  // 8, 13
  return result;
}

RegionGain RegionStep::take(Oracle& oracle, Index i, const BlockBeliefs& block,
                            const Region& region, double price, double scale, WholeBlock& whole) {
  Line line;
  RegionGain result;
  if (move_ == RegionMove::kPair && region.num_axes == 2 && region.size == 4) {
    result = move_binary(oracle, i, block, region, price, scale, whole.theta, line);
  } else {
    const std::span<const double> scores = scores_.at(whole.theta, block, region, price);
    result = move(oracle, i, block, region, scores, price, scale, line);
  }
  if (!(result.gamma > 0.0)) return result;
  whole.cost += result.gamma * line.cost;
  for (const Part& part : parts_) {
    const auto id = static_cast<std::size_t>(part.id);
    whole.moved[id] -= result.gamma * part.value;
    // Of a single part: <phi, gamma * scale * value * phi>.
    if (region.num_ids == 1) whole.theta[id] += result.gamma * scale * line.length / part.value;
  }
  return result;
}

/// Trailing numbers are the lines of [MSH15] Algorithm 1.
RegionGain RegionStep::move(Oracle& oracle, Index i, const BlockBeliefs& block,
                            const Region& region, std::span<const double> scores, double price,
                            double scale, Line& line) {
  const std::span<const double> beliefs = block.beliefs(region);
  line.to = argmax(scores);  // 5, 10
  best_ = static_cast<std::int32_t>(line.to);
  RegionGain result;
  result.gap = std::max(0.0, scores[line.to] - inner(scores, beliefs));
  if (beliefs[line.to] == 1.0) return result;
  if (move_ == RegionMove::kPair) {
    if (!find_pair(block, region, scores, line)) return result;
  } else {
    toward_best(block, region, line);
    line.slope = result.gap;
  }
  if (line.slope > 0.0) follow(oracle, i, block, region, price, scale, line, result);
  return result;
}

void RegionStep::follow(Oracle& oracle, Index i, const BlockBeliefs& block, const Region& region,
                        double price, double scale, Line& line, RegionGain& result) {
  if (move_ == RegionMove::kPair) {
    collect_pair(block, region, line);
  } else {
    collect_parts(block, region);
  }
  line.length = parts_.empty() ? 0.0 : oracle.squared_norm(i, parts_);
  const double curvature = line.length * scale + price * line.coupling;
  result.gamma = line_search(line.slope, curvature, line.largest);  // 7, 12
  result.gain = result.gamma * (line.slope - 0.5 * result.gamma * curvature);
  if (move_ == RegionMove::kPair) {
    shift(block, region, line, result.gamma);
  } else {
    blend(block, region, line, result.gamma);
  }
}

RegionGain RegionStep::take_among(Oracle& oracle, Index i, const BlockBeliefs& block,
                                  const Region& region, std::span<const std::int32_t> states,
                                  double price, DualPoint& point) {
  const std::span<const double> scores =
      scores_.of_some(oracle, i, point.w(), block, region, states, price);
  const std::span<const double> beliefs = block.beliefs(region);
  Line line;
  double mean = 0.0;
  std::size_t best = 0;
  std::optional<std::size_t> worst;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const double belief = beliefs[static_cast<std::size_t>(states[k])];
    mean += scores[k] * belief;
    if (scores[k] > scores[best]) best = k;
    if (belief > 0.0 && (!worst || scores[k] < scores[*worst])) worst = k;
  }
  RegionGain result;
  result.gap = std::max(0.0, scores[best] - mean);
  if (!worst || !(scores[best] > scores[*worst])) return result;
  line.to = static_cast<std::size_t>(states[best]);
  line.from = static_cast<std::size_t>(states[*worst]);
  line.slope = scores[best] - scores[*worst];
  complete_pair(block, region, line);
  follow(oracle, i, block, region, price, point.scale(), line, result);
  point.apply(oracle, i, parts_, line.cost, result.gamma, 0.0);
  return result;
}

RegionGain RegionStep::move_binary(Oracle& oracle, Index i, const BlockBeliefs& block,
                                   const Region& region, double price, double scale,
                                   std::span<const double> theta, Line& line) {
  const std::span<const Axis> axes = block.layout().axes(region);
  double* const beliefs = block.beliefs(region).data();
  // Marginals and multipliers of both axes lie next to each other.
  double* const marginals = block.marginals(region, axes[0]).data();
  const double* const multipliers = block.multipliers(region, axes[0]).data();
  std::array<double, 4> message;
  for (std::size_t k = 0; k < 4; ++k) {
    const double* const believed = block.beliefs_of_variable(axes[k / 2]).data();
    message[k] = multipliers[k] + price * (marginals[k] - believed[k % 2]);
  }
  const std::int32_t* const slots = block.layout().slots(region).data();
  std::array<double, 4> scores;
  double mean = 0.0;
  for (std::size_t y = 0; y < 4; ++y) {
    const double score = theta[static_cast<std::size_t>(slots[y])];
    scores[y] = score - message[y / 2] - message[2 + y % 2];
    mean += scores[y] * beliefs[y];
    if (scores[y] > scores[line.to]) line.to = y;
  }
  RegionGain result;
  result.gap = std::max(0.0, scores[line.to] - mean);
  bool has_any = false;
  for (std::size_t y = 0; y < 4; ++y) {
    if (!(beliefs[y] > 0.0) || (has_any && !(scores[y] < scores[line.from]))) continue;
    line.from = y;
    has_any = true;
  }
  line.slope = scores[line.to] - scores[line.from];
  if (!has_any || !(line.slope > 0.0)) return result;
  line.largest = beliefs[line.from];
  const std::size_t differs = line.to ^ line.from;
  line.coupling = 2.0 * static_cast<double>(differs / 2 + differs % 2);
  parts_.clear();
  if (slots[line.to] != slots[line.from]) {
    collect_pair(block, region, line);
    line.length = oracle.squared_norm(i, parts_);
  }
  const double curvature = line.length * scale + price * line.coupling;
  result.gamma = line_search(line.slope, curvature, line.largest);
  result.gain = result.gamma * (line.slope - 0.5 * result.gamma * curvature);
  beliefs[line.to] += result.gamma;
  beliefs[line.from] = result.gamma < line.largest ? beliefs[line.from] - result.gamma : 0.0;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::size_t to = k == 0 ? line.to / 2 : line.to % 2;
    const std::size_t from = 1 - to;
    if ((k == 0 ? line.from / 2 : line.from % 2) == to) continue;
    double* const sums = block.sums_of_variable(axes[k]).data();
    marginals[2 * k + to] += result.gamma;
    marginals[2 * k + from] -= result.gamma;
    sums[to] += result.gamma;
    sums[from] -= result.gamma;
  }
  return result;
}

/// e = indicator of the best state - mu_a.
void RegionStep::toward_best(const BlockBeliefs& block, const Region& region, Line& line) {
  const std::span<const double> beliefs = block.beliefs(region);
  change_.resize(beliefs.size());
  for (std::size_t s = 0; s < beliefs.size(); ++s) change_[s] = -beliefs[s];
  change_[line.to] += 1.0;
  if (!region.is_factor()) {
    line.coupling = region.degree * inner(change_, change_);
    line.cost = inner(change_, block.costs(region));
    return;
  }
  for (const Axis& axis : block.layout().axes(region)) {
    const std::span<const double> marginal = block.marginals(region, axis);
    const double here = marginal[on_axis(line.to, axis)];
    line.coupling += inner(marginal, marginal) - here * here + (1.0 - here) * (1.0 - here);
  }
}

/// e = indicator of the best state - indicator of the worst one with belief; false if they are one.
bool RegionStep::find_pair(const BlockBeliefs& block, const Region& region,
                           std::span<const double> scores, Line& line) {
  const std::span<const double> beliefs = block.beliefs(region);
  bool has_any = false;
  for (std::size_t s = 0; s < beliefs.size(); ++s) {
    if (!(beliefs[s] > 0.0) || (has_any && !(scores[s] < scores[line.from]))) continue;
    line.from = s;
    has_any = true;
  }
  if (!has_any || line.from == line.to) return false;
  line.slope = scores[line.to] - scores[line.from];
  complete_pair(block, region, line);
  return true;
}

void RegionStep::complete_pair(const BlockBeliefs& block, const Region& region, Line& line) {
  line.largest = block.beliefs(region)[line.from];
  if (!region.is_factor()) {
    line.coupling = 2.0 * region.degree;
    line.cost = block.costs(region)[line.to] - block.costs(region)[line.from];
    return;
  }
  for (const Axis& axis : block.layout().axes(region)) {
    if (on_axis(line.to, axis) != on_axis(line.from, axis)) line.coupling += 2.0;
  }
}

void RegionStep::collect_parts(const BlockBeliefs& block, const Region& region) {
  const std::span<const Index> ids = block.layout().ids(region);
  const std::span<const std::int32_t> at = block.layout().part_at(region);
  by_part_.assign(ids.size() + 1, 0.0);
  for (std::size_t s = 0; s < change_.size(); ++s) {
    by_part_[static_cast<std::size_t>(at[s])] -= change_[s];
  }
  parts_.assign_nonzeros(ids, std::span(by_part_).first(ids.size()));
}

void RegionStep::collect_pair(const BlockBeliefs& block, const Region& region, const Line& line) {
  const std::span<const std::int32_t> slots = block.layout().slots(region);
  const Index to = slots[line.to];
  const Index from = slots[line.from];
  const Index none = block.layout().end_part();
  parts_.clear();
  if (to == from) return;
  const Part gained{to, -1.0};
  const Part lost{from, 1.0};
  for (const Part& part : {to < from ? gained : lost, to < from ? lost : gained}) {
    if (part.id < none) parts_.append(part.id, part.value);
  }
}

/// mu_a += gamma * e for a Frank-Wolfe step, and all that is kept of mu_a.
void RegionStep::blend(const BlockBeliefs& block, const Region& region, const Line& line,
                       double gamma) {
  const auto move = [gamma](std::span<double> values, std::size_t to) {
    for (double& x : values) x *= 1.0 - gamma;
    values[to] += gamma;
  };
  move(block.beliefs(region), line.to);
  for (const Axis& axis : block.layout().axes(region)) {
    const std::span<double> marginal = block.marginals(region, axis);
    const std::span<double> sum = block.sums_of_variable(axis);
    for (std::size_t s = 0; s < marginal.size(); ++s) sum[s] -= gamma * marginal[s];
    sum[on_axis(line.to, axis)] += gamma;
    move(marginal, on_axis(line.to, axis));
  }
}

/// The same for a pair. A state that loses all its belief has exactly none.
void RegionStep::shift(const BlockBeliefs& block, const Region& region, const Line& line,
                       double gamma) {
  const std::span<double> beliefs = block.beliefs(region);
  beliefs[line.to] += gamma;
  beliefs[line.from] = gamma < line.largest ? beliefs[line.from] - gamma : 0.0;
  for (const Axis& axis : block.layout().axes(region)) {
    const std::size_t to = on_axis(line.to, axis);
    const std::size_t from = on_axis(line.from, axis);
    if (to == from) continue;
    const std::span<double> marginal = block.marginals(region, axis);
    const std::span<double> sum = block.sums_of_variable(axis);
    marginal[to] += gamma;
    marginal[from] -= gamma;
    sum[to] += gamma;
    sum[from] -= gamma;
  }
}

}  // namespace gapwise::internal
