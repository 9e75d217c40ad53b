#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gapwise::internal {

/// Scores of a labelled chain: `length` positions, `labels` labels.
struct ChainScores {
  int length = 0;
  int labels = 0;
  const double* nodes = nullptr;  ///< nodes[t * labels + k]
  /// Transition a -> b at pairs[a * labels + b]; with position-dependent scores the step from t-1
  /// to t is at pairs[((t - 1) * labels + a) * labels + b].
  const double* pairs = nullptr;
  bool pairs_per_position = false;
  /// Of second order: what three labels in a row score on top, triples[(a * labels + b) * labels +
  /// c]. Null: transitions look one label back.
  const double* triples = nullptr;
};

/// Scratch memory of the decoder, reused between calls.
struct ViterbiScratch {
  std::vector<double> best;
};

/// The best labelling, ties towards the smaller label from the last position backwards; returns its
/// score. `labels_out` has `length` entries; length >= 1 and labels >= 1.
double viterbi(const ChainScores& scores, ViterbiScratch& scratch,
               std::span<std::int32_t> labels_out);

}  // namespace gapwise::internal
