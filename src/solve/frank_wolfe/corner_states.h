#pragma once

#include <optional>
#include <vector>

#include "solve/dual_state.h"
#include "solve/frank_wolfe/corner_set.h"
#include "solve/output_ledger.h"

namespace gapwise::internal {

/// Computes `point` anew from the weights of all corner sets, which are brought back to a sum of 1;
/// returns the states of the blocks behind it.
inline std::vector<BlockState> rebuild_from_corners(Oracle& oracle, std::vector<CornerSet>& corners,
                                                    DualPoint& point) {
  std::vector<BlockState> states(corners.size());
  point.rebuild(oracle, [&](Index i) -> const BlockState& {
    CornerSet& set = corners[static_cast<std::size_t>(i)];
    BlockState& state = states[static_cast<std::size_t>(i)];
    set.renormalize();
    set.combine(state.parts, state.loss);
    return state;
  });
  return states;
}

/// The outputs with weight of all corner sets; nothing if a mixture has any.
inline std::optional<DualOutputs> outputs_of(const std::vector<CornerSet>& corners) {
  DualOutputs outputs(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (int p = 0; p < corners[i].size(); ++p) {
      if (corners[i].alpha(p) == 0.0) continue;
      if (corners[i].is_mixture(p)) return std::nullopt;
      WeightedOutput& output = outputs[i].emplace_back();
      corners[i].write_parts(p, output.parts);
      output.weight = corners[i].alpha(p);
    }
  }
  return outputs;
}

/// Reads the corners of all blocks, each of which is a convex combination of its own.
inline void load_mixtures(StateReader& in, std::vector<CornerSet>& corners) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    corners[i].load(in, static_cast<Index>(i), SumOfAlpha::kOne);
  }
}

}  // namespace gapwise::internal
