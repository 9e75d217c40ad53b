#pragma once

#include "gapwise/types.h"

namespace gapwise::internal {

/// What a sweep over w counts as, in scores of single parts (the unit of Problem::oracle_cost).
/// Below what the clock says, 0.3 to 0.5 per weight: docs/design/auto.md tells what larger values
/// do.
inline double sweep_cost(Index dimension) {
  constexpr double kPerWeight = 0.05;
  return kPerWeight * static_cast<double>(dimension);
}

/// The same of the weights that records work on, which are few and close to the processor.
inline double short_sweep_cost(Index weights) {
  constexpr double kPerWeight = 0.01;
  return kPerWeight * static_cast<double>(weights);
}

}  // namespace gapwise::internal
