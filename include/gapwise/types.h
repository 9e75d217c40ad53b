#pragma once

#include <cstdint>
#include <span>

namespace gapwise {

using Index = std::int64_t;  ///< of blocks, weights and parts; also counts

/// The weight vector w, as everybody but its owner sees it.
using Weights = std::span<const double>;
using MutableWeights = std::span<double>;  ///< as its owner sees it

}  // namespace gapwise
