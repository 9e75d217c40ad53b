#pragma once

#include "gapwise/problem.h"

namespace gapwise::internal {

/// Whether oracles of the problem can decode without the loss; not so for make_argmax_problem
/// without a second function.
bool has_plain_decode(const Problem& problem);

}  // namespace gapwise::internal
