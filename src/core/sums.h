#pragma once

#include <span>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Sum in the given order, compensated (Neumaier): exact enough to compare sums of block gaps.
double ordered_sum(std::span<const double> values);

/// <a, b>, the same bits on every machine and accurate for long vectors.
double dot(Weights a, Weights b);

double squared_norm(Weights w);

}  // namespace gapwise::internal
