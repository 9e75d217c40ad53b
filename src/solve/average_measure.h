#pragma once

#include "solve/averager.h"
#include "solve/dual_state.h"
#include "solve/solver.h"

namespace gapwise {

/// The certificate of an averaged iterate: its own primal by a gap pass at the average of w, and
/// its own dual D = ell - lambda/2 |w|^2 at the averages of w and ell, which are dual feasible
/// together.
inline Measurement measure_average(const RunContext& context, const Averager& averager, Weights w,
                                   double ell) {
  std::vector<double> w_average;
  double ell_average = 0.0;
  averager.average(w, ell, w_average, ell_average);
  MeanViolation mean(context.n());
  context.team.visit_all(w_average, [&](Index i, const PartScores& theta, const Corner& corner) {
    mean.record(i, theta, corner);
  });
  mean.finish();
  const double regularizer = 0.5 * context.lambda * context.team.leader().squared_length(w_average);
  return {regularizer + mean.value, ell_average - regularizer, mean.is_bound};
}

}  // namespace gapwise
