#pragma once

#include <span>
#include <vector>

#include "solve/factorwise/beliefs.h"

namespace gapwise::internal {

/// Beliefs of a block that agree: a point of the local polytope near given beliefs, of which there
/// need not be two that agree. Owns scratch.
///
/// A variable believes the average p_v of mu_v and of all marginals on it. A table is scaled down,
/// axis by axis, until no marginal exceeds p_v; what is then missing has the same total R on all
/// axes, and the product of what is missing, over R^(arity - 1), fills it. O(entries of all
/// tables).
class Rounding {
 public:
  void round(const BlockBeliefs& block);

  /// The rounded beliefs of a region, until the next call.
  std::span<const double> beliefs(const Region& region) const {
    return {rounded_.data() + region.record, static_cast<std::size_t>(region.size)};
  }

 private:
  std::span<double> own(const Region& region) {
    return {rounded_.data() + region.record, static_cast<std::size_t>(region.size)};
  }
  void average(const BlockBeliefs& block, const Region& variable);
  void scale_down(std::span<const double> p, const Axis& axis, std::span<double> table);
  /// What is missing in the marginals of a table, by axis and state, as shares of its total; that
  /// is 0 if nothing is.
  double find_missing(const GraphLayout& layout, const Region& factor);
  void fill(const GraphLayout& layout, const Region& factor, double total);

  std::vector<double> rounded_;  ///< records as those of the block, of which only beliefs are used
  std::vector<double> kept_;     ///< by state of an axis: the share that stays
  std::vector<double> missing_;
  std::vector<double> product_;
};

}  // namespace gapwise::internal
