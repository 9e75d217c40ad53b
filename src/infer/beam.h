#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/viterbi.h"

namespace gapwise::internal {

/// Scratch memory of the search, reused between calls.
struct BeamScratch {
  /// A labelling of the positions so far, by its last label; others with that label are worse.
  struct Hypothesis {
    double score;
    std::int32_t label;
    std::int32_t previous;  ///< its place in the beam of the position before
  };
  ViterbiScratch viterbi;
  std::vector<Hypothesis> beams;  ///< the kept ones, position after position, by label
  std::vector<Hypothesis> candidates;
};

/// Viterbi that goes on from the `width` best labels of each position only; a width of 0 keeps all.
/// Ties go to the smaller label. Returns whether nothing was dropped on the way, so that the
/// labelling is the best one: exactly that of `viterbi`. `labels_out` has `length` entries.
bool beam_search(const ChainScores& scores, int width, BeamScratch& scratch,
                 std::span<std::int32_t> labels_out);

}  // namespace gapwise::internal
