#include "solve/factorwise/rounding.h"

#include <algorithm>
#include <numeric>

namespace gapwise::internal {
namespace {

/// Makes them add up to 1, whatever the drift of many steps.
void normalize(std::span<double> beliefs) {
  for (double& x : beliefs) x = std::max(0.0, x);
  const double total = std::accumulate(beliefs.begin(), beliefs.end(), 0.0);
  if (total != 1.0) {
    for (double& x : beliefs) x /= total;
  }
}

/// table(y) *= message(y on this axis).
void multiply_message(std::span<const double> message, const Axis& axis, std::span<double> table) {
  const auto stride = static_cast<std::size_t>(axis.stride);
  for (std::size_t at = 0; at < table.size();) {
    for (const double x : message) {
      for (const std::size_t end = at + stride; at < end; ++at) table[at] *= x;
    }
  }
}

/// Of values by axis and state, those of one axis.
std::span<double> on_axis(const Axis& axis, std::vector<double>& values) {
  return std::span(values).subspan(static_cast<std::size_t>(axis.at),
                                   static_cast<std::size_t>(axis.size));
}

}  // namespace

void Rounding::round(const BlockBeliefs& block) {
  const GraphLayout& layout = block.layout();
  rounded_.resize(static_cast<std::size_t>(layout.record_size()));
  for (const Region& region : layout.regions()) {
    if (!region.is_factor()) {
      average(block, region);
      continue;
    }
    const std::span<const double> beliefs = block.beliefs(region);
    std::copy(beliefs.begin(), beliefs.end(), own(region).begin());
    normalize(own(region));
    for (const Axis& axis : layout.axes(region)) {
      scale_down(own(layout.region(axis.variable)), axis, own(region));
    }
    const double total = find_missing(layout, region);
    if (total > 0.0) fill(layout, region, total);
  }
}

/// p_v.
void Rounding::average(const BlockBeliefs& block, const Region& variable) {
  const std::span<const double> belief = block.beliefs(variable);
  const std::span<const double> sum = block.sums(variable);
  const std::span<double> p = own(variable);
  for (std::size_t s = 0; s < p.size(); ++s) p[s] = belief[s] + sum[s];
  normalize(p);
}

/// table(y) *= min(1, p(y on this axis) / its marginal).
void Rounding::scale_down(std::span<const double> p, const Axis& axis, std::span<double> table) {
  kept_.assign(p.size(), 0.0);
  add_marginals(table, axis, kept_);
  bool fits = true;
  for (std::size_t s = 0; s < p.size(); ++s) {
    fits = fits && kept_[s] <= p[s];
    kept_[s] = kept_[s] > p[s] ? p[s] / kept_[s] : 1.0;
  }
  if (!fits) multiply_message(kept_, axis, table);
}

double Rounding::find_missing(const GraphLayout& layout, const Region& factor) {
  missing_.assign(static_cast<std::size_t>(factor.axis_states), 0.0);
  double most = 0.0;  // the same on all axes but for rounding
  for (const Axis& axis : layout.axes(factor)) {
    const std::span<double> missing = on_axis(axis, missing_);
    add_marginals(own(factor), axis, missing);
    const std::span<const double> p = own(layout.region(axis.variable));
    for (std::size_t s = 0; s < p.size(); ++s) missing[s] = std::max(0.0, p[s] - missing[s]);
    const double total = std::accumulate(missing.begin(), missing.end(), 0.0);
    if (!(total > 0.0)) return 0.0;  // nothing that a double can tell
    for (double& x : missing) x /= total;
    most = std::max(most, total);
  }
  return most;
}

void Rounding::fill(const GraphLayout& layout, const Region& factor, double total) {
  const std::span<double> table = own(factor);
  product_.assign(table.size(), total);
  for (const Axis& axis : layout.axes(factor)) {
    multiply_message(on_axis(axis, missing_), axis, product_);
  }
  for (std::size_t y = 0; y < table.size(); ++y) table[y] += product_[y];
}

}  // namespace gapwise::internal
