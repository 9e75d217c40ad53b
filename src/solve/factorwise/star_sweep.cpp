#include "solve/factorwise/star_sweep.h"

#include <cmath>

namespace gapwise::internal {

void StarSweep::tighten(std::span<const double> theta, const BlockBeliefs& block, double sigma) {
  find_meetings(block.layout());
  for (Index v = 0; v < block.layout().num_variables(); ++v) tighten(theta, block, v, sigma);
  block.add_up_multipliers();
}

void StarSweep::find_meetings(const GraphLayout& layout) {
  const std::span<const Region> regions = layout.regions();
  starts_.assign(static_cast<std::size_t>(layout.num_variables()) + 2, 0);
  for (const Region& region : regions) {
    for (const Axis& axis : layout.axes(region))
      ++starts_[static_cast<std::size_t>(axis.variable) + 2];
  }
  for (std::size_t k = 2; k < starts_.size(); ++k) starts_[k] += starts_[k - 1];
  meetings_.resize(starts_.back());
  for (Index a = layout.num_variables(); a < std::ssize(regions); ++a) {
    const std::span<const Axis> axes = layout.axes(layout.region(a));
    for (std::size_t k = 0; k < axes.size(); ++k) {
      meetings_[starts_[static_cast<std::size_t>(axes[k].variable) + 1]++] = {
          a, static_cast<Index>(k)};
    }
  }
}

void StarSweep::tighten(std::span<const double> theta, const BlockBeliefs& block, Index v,
                        double sigma) {
  const GraphLayout& layout = block.layout();
  const Region& variable = layout.region(v);
  const auto at = static_cast<std::size_t>(v);
  const auto own = std::span(meetings_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
  if (own.empty()) return;
  const std::span<const std::int32_t> slots = layout.slots(variable);
  const std::span<const double> costs = block.costs(variable);
  mean_.resize(costs.size());
  for (std::size_t s = 0; s < costs.size(); ++s) {
    mean_[s] = theta[static_cast<std::size_t>(slots[s])] + costs[s];
  }
  for (const Meeting& meeting : own) {
    const Region& factor = layout.region(meeting.factor);
    const Axis& axis = layout.axes(factor)[static_cast<std::size_t>(meeting.axis)];
    const std::span<double> message = block.multipliers(factor, axis);
    soft_marginals(theta, block, factor, axis, sigma, message);
    for (std::size_t s = 0; s < mean_.size(); ++s) mean_[s] += message[s];
  }
  for (double& x : mean_) x /= 1.0 + variable.degree;
  for (const Meeting& meeting : own) {
    const Region& factor = layout.region(meeting.factor);
    const Axis& axis = layout.axes(factor)[static_cast<std::size_t>(meeting.axis)];
    const std::span<double> message = block.multipliers(factor, axis);
    for (std::size_t s = 0; s < mean_.size(); ++s) message[s] -= mean_[s];
  }
}

void StarSweep::soft_marginals(std::span<const double> theta, const BlockBeliefs& block,
                               const Region& factor, const Axis& axis, double sigma,
                               std::span<double> out) {
  const std::span<const double> scores = scores_.at(theta, block, factor, 0.0);
  table_.assign(scores.begin(), scores.end());
  add_message(out, 1.0, axis, table_);  // its own does not count
  largest_.resize(out.size());
  find_max_marginals(table_, axis, largest_);
  add_message(largest_, -1.0, axis, table_);
  for (double& x : table_) x = std::exp(x / sigma);
  std::fill(out.begin(), out.end(), 0.0);
  add_marginals(table_, axis, out);
  for (std::size_t s = 0; s < out.size(); ++s) out[s] = largest_[s] + sigma * std::log(out[s]);
}

}  // namespace gapwise::internal
