#include "solve/factorwise/region_step.h"

#include <algorithm>

namespace gapwise::internal {
namespace {

/// The state of a joint state on one axis.
std::size_t on_axis(std::size_t joint, const Axis& axis) {
  return joint / static_cast<std::size_t>(axis.stride) % static_cast<std::size_t>(axis.size);
}

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

/// Trailing numbers are the lines of [MSH15] Algorithm 1.
RegionGain RegionStep::take(Oracle& oracle, Index i, const BlockBeliefs& block,
                            const Region& region, double price, DualPoint& point) {
  const std::span<const double> scores = scores_.at(oracle, i, point.w(), block, region, price);
  const std::span<const double> beliefs = block.beliefs(region);
  Line line;
  line.to = argmax(scores);  // 5, 10
  RegionGain result;
  result.gap = std::max(0.0, scores[line.to] - inner(scores, beliefs));
  if (beliefs[line.to] == 1.0) return result;
  if (move_ == RegionMove::kPair) {
    if (!find_pair(block, region, scores, line)) return result;
  } else {
    toward_best(block, region, line);
    line.slope = result.gap;
  }
  if (!(line.slope > 0.0)) return result;
  collect_parts(block, region);
  const double length = parts_.empty() ? 0.0 : oracle.squared_norm(i, parts_);
  const double curvature = length * point.scale() + price * line.coupling;
  result.gamma = line_search(line.slope, curvature, line.largest);  // 7, 12
  result.gain = result.gamma * (line.slope - 0.5 * result.gamma * curvature);
  const double cost = region.is_factor() ? 0.0 : inner(change_, block.costs(region));
  point.apply(oracle, i, parts_, cost, result.gamma, 0.0);  // 8, 13
  if (move_ == RegionMove::kPair) {
    shift(block, region, line, result.gamma);
  } else {
    blend(block, region, line, result.gamma);
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
  line.largest = beliefs[line.from];
  change_.assign(beliefs.size(), 0.0);
  change_[line.to] = 1.0;
  change_[line.from] = -1.0;
  if (!region.is_factor()) {
    line.coupling = 2.0 * region.degree;
    return true;
  }
  for (const Axis& axis : block.layout().axes(region)) {
    if (on_axis(line.to, axis) != on_axis(line.from, axis)) line.coupling += 2.0;
  }
  return true;
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
