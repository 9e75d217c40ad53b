#pragma once

#include "tasks/sequence/problem.h"

namespace gapwise::internal {

/// How the parts of a sequence are numbered: "label k at position t" is t * K + k, then come the
/// transitions: "a -> b, so many times", or, if the model has edge features, "a -> b into position
/// t". Start and end weights belong to the parts of the first and last position.
struct ChainParts {
  int length;
  int labels;
  bool pairs_per_position;

  std::size_t num_nodes() const {
    return static_cast<std::size_t>(length) * static_cast<std::size_t>(labels);
  }
  std::size_t num_pairs() const {
    const auto square = static_cast<std::size_t>(labels) * static_cast<std::size_t>(labels);
    return pairs_per_position ? static_cast<std::size_t>(length - 1) * square : square;
  }
  Index node(int t, int k) const { return static_cast<Index>(t) * labels + k; }
  Index pair(int t, int a, int b) const {
    const Index step = pairs_per_position ? t - 1 : 0;
    return static_cast<Index>(num_nodes()) + (step * labels + a) * labels + b;
  }
};

inline ChainParts chain_parts(const SequenceData& data, const ChainLayout& layout, Index i) {
  return {data.length(i), layout.labels, layout.edge_attributes > 0};
}

/// The scores of all parts of sequence i; `out` has num_nodes() + num_pairs() entries.
void score_chain(const SequenceData& data, const ChainLayout& layout, Index i, Weights w,
                 double* out);

/// The decoder's view of such scores.
inline ChainScores chain_scores(const ChainParts& parts, const double* nodes, const double* pairs) {
  return {parts.length, parts.labels, nodes, pairs, parts.pairs_per_position};
}

}  // namespace gapwise::internal
