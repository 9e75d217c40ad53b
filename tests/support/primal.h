#pragma once

#include "gapwise/problem.h"
#include "gapwise/progress.h"

namespace gapwise::internal::testing {

/// lambda/2 |w|^2 + mean of max_y H_i(y; w), or of its square, from its definition.
inline double primal_at(const Problem& problem, double lambda, const std::vector<double>& w,
                        Objective objective = Objective::kL1) {
  const auto oracle = problem.make_oracle();
  double primal = 0.5 * lambda * oracle->squared_length(w);
  PartScores theta;
  Corner corner;
  for (Index i = 0; i < problem.num_blocks(); ++i) {
    oracle->argmax(i, w, theta, corner);
    const double h = violation(corner.loss, corner.parts, theta);
    primal += (objective == Objective::kL2 ? h * h : h) / static_cast<double>(problem.num_blocks());
  }
  return primal;
}

}  // namespace gapwise::internal::testing
