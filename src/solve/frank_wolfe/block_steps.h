#pragma once

#include <algorithm>

#include "solve/frank_wolfe/block_dual.h"

namespace gapwise::internal {

/// Up to `most` pairwise steps, until no pair is left with a tenth of the gap towards s.
inline double corrective_steps(BlockDual& block, int s, Index most, Partner partner) {
  const double tolerance = 0.1 * std::max(0.0, block.gap(s));
  return block.corrective_steps(static_cast<int>(most), tolerance, partner);
}

/// --inner-steps: one step from the worst active corner to s, or several between the best pairs.
inline double pairwise_steps(BlockDual& block, int s, Index inner_steps) {
  if (inner_steps == 1) return block.pairwise_step(s, block.worst());
  return corrective_steps(block, s, inner_steps, Partner::kBest);
}

}  // namespace gapwise::internal
