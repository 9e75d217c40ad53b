#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "gapwise/problem.h"
#include "solve/factorwise/beliefs.h"

namespace gapwise::internal {

/// The scores of a region that its beliefs should follow, [MSH15] section 3:
///   variable   theta_v(s) + cost(s) + sum_c delta_cv(s)
///   factor     theta_c(y) - sum_v delta_cv(y_v)
/// where delta_cv = multiplier_cv + price (marginal_cv - mu_v), and price = 1 / rho. The score of
/// the truth is not taken off, it is the same for all states. Owns scratch.
class RegionScores {
 public:
  /// Reads only the weights behind the parts of the region.
  std::span<const double> at(Oracle& oracle, Index i, Weights w, const BlockBeliefs& block,
                             const Region& region, double price) {
    const std::span<const Index> ids = block.layout().ids(region);
    parts_.resize(ids.size() + 1);
    if (!ids.empty()) oracle.score_some(i, w, ids, std::span(parts_).first(ids.size()));
    return from_parts(block, region, price);
  }

  /// The same from the scores of all parts of the block.
  std::span<const double> at(const PartScores& theta, const BlockBeliefs& block,
                             const Region& region, double price) {
    const std::span<const Index> ids = block.layout().ids(region);
    parts_.resize(ids.size() + 1);
    for (std::size_t k = 0; k < ids.size(); ++k) parts_[k] = theta[ids[k]];
    return from_parts(block, region, price);
  }

  /// theta_a alone, by state, without costs and messages; of the last region.
  double plain(const GraphLayout& layout, const Region& region, Index state) const {
    return parts_[static_cast<std::size_t>(
        layout.part_at(region)[static_cast<std::size_t>(state)])];
  }

 private:
  std::span<const double> from_parts(const BlockBeliefs& block, const Region& region,
                                     double price) {
    parts_.back() = 0.0;  // of states that have no part
    const std::span<const std::int32_t> at = block.layout().part_at(region);
    scores_.resize(at.size());
    for (std::size_t s = 0; s < at.size(); ++s) {
      scores_[s] = parts_[static_cast<std::size_t>(at[s])];
    }
    if (region.is_factor()) {
      subtract_messages(block, region, price);
    } else {
      add_messages(block, region, price);
    }
    return scores_;
  }

  void add_messages(const BlockBeliefs& block, const Region& variable, double price) {
    const std::span<const double> cost = block.costs(variable);
    const std::span<const double> belief = block.beliefs(variable);
    const std::span<const double> sum = block.sums(variable);
    const std::span<const double> multiplier = block.multiplier_sums(variable);
    for (std::size_t s = 0; s < scores_.size(); ++s) {
      scores_[s] += cost[s] + multiplier[s] + price * (sum[s] - variable.degree * belief[s]);
    }
  }

  void subtract_messages(const BlockBeliefs& block, const Region& factor, double price) {
    for (const Axis& axis : block.layout().axes(factor)) {
      const std::span<const double> marginal = block.marginals(factor, axis);
      const std::span<const double> belief = block.beliefs_of_variable(axis);
      const std::span<const double> multiplier = block.multipliers(factor, axis);
      message_.resize(marginal.size());
      for (std::size_t s = 0; s < marginal.size(); ++s) {
        message_[s] = multiplier[s] + price * (marginal[s] - belief[s]);
      }
      add_message(message_, -1.0, axis, scores_);
    }
  }

  std::vector<double> parts_;    ///< by place among the parts of the region, and a 0
  std::vector<double> scores_;   ///< by state
  std::vector<double> message_;  ///< of one axis
};

/// The first of the largest.
inline std::size_t argmax(std::span<const double> scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace gapwise::internal
