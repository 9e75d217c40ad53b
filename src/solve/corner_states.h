#pragma once

#include <vector>

#include "solve/corner_set.h"
#include "solve/dual_state.h"

namespace gapwise {

/// Computes `point` anew from the weights of all corner sets, which are brought back to a sum of 1;
/// returns the states of the blocks behind it.
inline std::vector<BlockState> rebuild_from_corners(Oracle& oracle, std::vector<CornerSet>& corners,
                                                    DualPoint& point) {
  std::vector<BlockState> states(corners.size());
  std::vector<double> alpha;
  point.rebuild(oracle, [&](Index i) -> const BlockState& {
    CornerSet& set = corners[static_cast<std::size_t>(i)];
    BlockState& state = states[static_cast<std::size_t>(i)];
    set.renormalize();
    alpha.resize(static_cast<std::size_t>(set.size()));
    for (int p = 0; p < set.size(); ++p) alpha[static_cast<std::size_t>(p)] = set.alpha(p);
    set.combine(alpha, state.parts, state.loss);
    return state;
  });
  return states;
}

}  // namespace gapwise
