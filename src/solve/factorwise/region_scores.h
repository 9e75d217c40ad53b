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
    parts_.back() = 0.0;  // of states that have no part
    return gather(parts_, block.layout().part_at(region), block, region, price);
  }

  /// The same from the scores of all parts of the block, and a 0 behind them.
  std::span<const double> at(std::span<const double> theta, const BlockBeliefs& block,
                             const Region& region, double price) {
    return gather(theta, block.layout().slots(region), block, region, price);
  }

  /// Those of some states, ascending; by their place among them.
  std::span<const double> of_some(Oracle& oracle, Index i, Weights w, const BlockBeliefs& block,
                                  const Region& region, std::span<const std::int32_t> states,
                                  double price) {
    const std::span<const std::int32_t> slots = block.layout().slots(region);
    scores_.assign(states.size(), 0.0);
    for (std::size_t k = 0; k < states.size(); ++k) {
      const auto state = static_cast<std::size_t>(states[k]);
      const Index id = slots[state];
      if (id < block.layout().end_part()) {
        oracle.score_some(i, w, std::span(&id, 1), std::span(scores_).subspan(k, 1));
      }
      scores_[k] += region.is_factor() ? -messages_at(block, region, state, price)
                                       : own_at(block, region, state, price);
    }
    return scores_;
  }

 private:
  /// Cost and messages of a state of a variable.
  static double own_at(const BlockBeliefs& block, const Region& variable, std::size_t s,
                       double price) {
    return block.costs(variable)[s] + block.multiplier_sums(variable)[s] +
           price * (block.sums(variable)[s] - variable.degree * block.beliefs(variable)[s]);
  }
  /// All messages of a joint state.
  static double messages_at(const BlockBeliefs& block, const Region& factor, std::size_t joint,
                            double price) {
    double sum = 0.0;
    for (const Axis& axis : block.layout().axes(factor)) {
      const std::size_t s = on_axis(joint, axis);
      sum += block.multipliers(factor, axis)[s] +
             price * (block.marginals(factor, axis)[s] - block.beliefs_of_variable(axis)[s]);
    }
    return sum;
  }

  std::span<const double> gather(std::span<const double> theta, std::span<const std::int32_t> from,
                                 const BlockBeliefs& block, const Region& region, double price) {
    scores_.resize(from.size());
    for (std::size_t s = 0; s < from.size(); ++s) {
      scores_[s] = theta[static_cast<std::size_t>(from[s])];
    }
    if (region.is_factor()) {
      subtract_messages(block, region, price);
    } else {
      add_messages(block, region, price);
    }
    return scores_;
  }

  void add_messages(const BlockBeliefs& block, const Region& variable, double price) {
    for (std::size_t s = 0; s < scores_.size(); ++s)
      scores_[s] += own_at(block, variable, s, price);
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
