#pragma once

#include "solve/averager.h"
#include "solve/certificate.h"
#include "solve/dual_state.h"

namespace gapwise::internal {

/// The average of the iterates up to `point`: w, and ell as the result. Where weights must not be
/// negative it is the average of v, truncated, so that it belongs to the averages of the duals.
inline double average_at(const DualPoint& point, const Averager& averager, std::vector<double>& w) {
  double ell = 0.0;
  averager.average(point.v(), point.ell(), w, ell);
  point.truncate(w);
  return ell;
}

/// The certificate of an averaged iterate: its own primal by a gap pass at the average of w, and
/// its own dual D = ell - lambda/2 |w|^2 at the averages of w and ell, which are dual feasible
/// together. (Where ell is concave in the duals, as for l2, that is a lower bound of their dual.)
inline Measurement measure_average(const RunContext& context, const Averager& averager,
                                   const DualPoint& point, Objective objective = Objective::kL1) {
  std::vector<double> w_average;
  const double ell_average = average_at(point, averager, w_average);
  const double regularizer = 0.5 * context.lambda * context.team.leader().squared_length(w_average);
  return certify(context, w_average, ell_average - regularizer, {.objective = objective});
}

}  // namespace gapwise::internal
