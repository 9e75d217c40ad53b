#pragma once

#include <memory>
#include <vector>

#include "gapwise/problem.h"

namespace gapwise::internal {

/// Some blocks of another problem, which outlives the result, in their order: the same weights and
/// the same oracle. Has no kernel inputs.
std::unique_ptr<Problem> make_subset_problem(const Problem& whole, std::vector<Index> blocks);

}  // namespace gapwise::internal
