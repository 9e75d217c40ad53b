#pragma once

#include <algorithm>

#include "gapwise/problem.h"

namespace gapwise::internal {

/// How many visits of an exact pass ask the oracle at one w, so that threads and ranks can share
/// them: a
/// small part of all blocks, for w soon becomes old, and only where a call of the oracle costs much
/// more than to score remembered outputs once more when its answer is used. It follows from the
/// problem alone, never from the number of threads.
inline Index exact_batch(const Problem& problem) {
  // In scores of single parts: above what handwritten words (91) and chunks (219) take, where a
  // second look at remembered outputs costs more than threads win, below that of a parser (638).
  constexpr double kDear = 500.0;
  constexpr Index kBatchesPerPass = 64;
  constexpr Index kLeast = 4;
  constexpr Index kMost = 64;
  if (problem.oracle_cost() < kDear) return 1;
  // A call of about 0.3 ms or more is worth machines of its own: multiples of 8, which 2, 4 and 8
  // of them divide evenly. On handwritten words 16 of 626 took no more calls than 9, 32 took 8 %.
  constexpr double kVeryDear = 1e5;
  constexpr Index kFewBatches = 40;
  constexpr Index kOctet = 8;
  const Index octets = (problem.num_blocks() / kFewBatches + kOctet - 1) / kOctet;
  if (problem.oracle_cost() >= kVeryDear && problem.num_blocks() / kFewBatches >= kLeast) {
    return std::min(kOctet * octets, kMost);
  }
  return std::clamp<Index>(problem.num_blocks() / kBatchesPerPass, kLeast, kMost);
}

}  // namespace gapwise::internal
