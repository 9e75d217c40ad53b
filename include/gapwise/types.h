#pragma once

#include <cstdint>
#include <span>

namespace gapwise {

using Index = std::int64_t;

/// The weight vector w, as everybody but its owner sees it.
using Weights = std::span<const double>;
using MutableWeights = std::span<double>;

}  // namespace gapwise
