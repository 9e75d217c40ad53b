#pragma once

#include "infer/matching/matching.h"

namespace gapwise::internal {

/// Turns an optimal matching into the first of all optimal ones, given the prices in `search`.
void take_first_of_ties(const MatchingScores& scores, MatchingSearch& search,
                        std::span<std::int32_t> column_of);

}  // namespace gapwise::internal
