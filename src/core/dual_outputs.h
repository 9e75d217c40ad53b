#pragma once

#include <vector>

#include "gapwise/parts.h"

namespace gapwise::internal {

/// An output with its weight alpha_i(y) in a dual point.
struct WeightedOutput {
  Parts parts;  ///< relative to the truth, which has none
  double weight = 0.0;
};
/// A dual point by its blocks and their outputs: what a proof is made of.
using DualOutputs = std::vector<std::vector<WeightedOutput>>;

}  // namespace gapwise::internal
