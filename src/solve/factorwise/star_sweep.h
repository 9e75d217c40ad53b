#pragma once

#include <span>
#include <vector>

#include "solve/factorwise/region_scores.h"

namespace gapwise::internal {

/// Makes the messages of a block better at fixed weights where maxima are soft, [HU10]: for one
/// variable v after the other, the best messages of all its factors while all others stand still.
/// With nu_c(s) = sigma log sum over y with y_v = s of exp of [theta_c(y) - sum over u != v of
/// delta_cu(y_u)] / sigma,
///   delta_cv = nu_c - (theta_v + cost + sum_c nu_c) / (1 + factors of v),
/// after which v and all its factors believe the same of v. The smoothed bound sum_v softmax +
/// sum_c softmax never grows. Messages are the multipliers of the block. Owns scratch.
class StarSweep {
 public:
  /// A sweep over all variables. `theta` has the scores of all parts and a 0 behind them.
  void tighten(std::span<const double> theta, const BlockBeliefs& block, double sigma);

 private:
  /// Where a variable meets a factor.
  struct Meeting {
    Index factor;  ///< region
    Index axis;    ///< of the factor
  };

  void find_meetings(const GraphLayout& layout);
  void tighten(std::span<const double> theta, const BlockBeliefs& block, Index v, double sigma);
  /// nu_c of the variable on this axis, into `out`.
  void soft_marginals(std::span<const double> theta, const BlockBeliefs& block,
                      const Region& factor, const Axis& axis, double sigma, std::span<double> out);

  std::vector<Meeting> meetings_;    ///< by variable
  std::vector<std::size_t> starts_;  ///< of those of each variable
  RegionScores scores_;
  std::vector<double> table_;
  std::vector<double> largest_;  ///< by state of an axis
  std::vector<double> mean_;     ///< of a variable: what all agree on
};

}  // namespace gapwise::internal
