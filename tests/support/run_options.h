#pragma once

#include <string>
#include <string_view>

#include "gapwise/train_options.h"

namespace gapwise::internal::testing {

/// Options of a run on one thread.
inline TrainOptions options_for(std::string_view solver, Lambda lambda) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = lambda;
  options.threads = 1;
  return options;
}
inline TrainOptions options_for(std::string_view solver, double lambda) {
  return options_for(solver, Lambda::of(lambda));
}

/// The same for a run at lambda = 1/n that goes on until it is this near to the optimum.
inline TrainOptions options_to_gap(std::string_view solver, double relative_gap) {
  TrainOptions options = options_for(solver, Lambda::over_n(1.0));
  options.relative_gap = relative_gap;
  options.max_passes = 20'000;
  return options;
}

}  // namespace gapwise::internal::testing
