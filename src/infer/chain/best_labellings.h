#pragma once

#include <cstdint>
#include <vector>

#include "infer/viterbi.h"

namespace gapwise::internal {

/// A labelling of a chain and what it scores.
struct ScoredLabelling {
  std::vector<std::int32_t> labels;
  double score = 0.0;
};

/// The `count` best labellings of a chain, best first; fewer if no more have a score above minus
/// infinity. Ties go to the smaller label from the last position backwards, so the first one is
/// that of `viterbi`. O(length (steps + states count log labels)).
std::vector<ScoredLabelling> best_labellings(const ChainScores& scores, std::size_t count);

}  // namespace gapwise::internal
