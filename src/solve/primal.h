#pragma once

#include "solve/solver.h"

namespace gapwise::internal {

/// The value of an objective.
struct Primal {
  double value = 0.0;
  bool is_bound = true;  ///< not below the true one; otherwise not above it
};

/// The objective at w, by a gap pass.
inline Primal primal_at(const RunContext& context, Weights w,
                        Objective objective = Objective::kL1) {
  MeanViolation mean(context.n(), objective);
  context.team.visit_all(w, [&](Index i, const PartScores& theta, const Corner& corner) {
    mean.record(i, theta, corner);
  });
  mean.finish();
  const double squared_length = context.team.leader().squared_length(w);
  return {0.5 * context.lambda * squared_length + mean.value, mean.is_bound};
}

}  // namespace gapwise::internal
