#pragma once

#include <vector>

#include "gapwise/problem.h"
#include "gapwise/train_options.h"

namespace gapwise::internal {

/// Values of lambda for a problem that nothing is known of, by falling value. The first one is
/// where learning begins: there the step from w = 0 to the outputs with the largest losses gains as
/// much as there is to gain. InputError if there is nothing to learn.
std::vector<double> quick_grid(const Problem& problem, TrainOptions options);
/// How many of them may be left out, unless the one after them turns out to be the best.
inline constexpr std::size_t kUnlikelyValues = 3;

}  // namespace gapwise::internal
