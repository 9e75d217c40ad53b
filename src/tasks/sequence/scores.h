#pragma once

#include <span>
#include <utility>

#include "tasks/sequence/problem.h"

namespace gapwise::internal {

/// How the parts of a sequence are numbered: "label k at position t" is t * K + k, then come the
/// transitions: "a -> b, so many times", or, if the model has edge features, "a -> b into position
/// t"; of second order, "a, b, c in a row, so many times"; with segments, "one of this type and
/// length begins here". Start and end weights belong to the parts of the first and last position.
struct ChainParts {
  int length;
  int labels;
  bool pairs_per_position;
  int order;
  int types = 0;  ///< of segments
  int longest = 0;

  std::size_t num_nodes() const {
    return static_cast<std::size_t>(length) * static_cast<std::size_t>(labels);
  }
  std::size_t num_pairs() const {
    const auto square = static_cast<std::size_t>(labels) * static_cast<std::size_t>(labels);
    return pairs_per_position ? static_cast<std::size_t>(length - 1) * square : square;
  }
  std::size_t num_parts() const {
    return first_segment() + static_cast<std::size_t>(length) * static_cast<std::size_t>(longest) *
                                 static_cast<std::size_t>(types);
  }
  /// The number of the first part that stands for a segment.
  std::size_t first_segment() const {
    const auto count = static_cast<std::size_t>(labels);
    return num_nodes() + num_pairs() + (order == 2 ? count * count * count : 0);
  }
  Index triple(int a, int b, int c) const {
    return static_cast<Index>(num_nodes() + num_pairs()) +
           (static_cast<Index>(a) * labels + b) * labels + c;
  }
  Index node(int t, int k) const { return static_cast<Index>(t) * labels + k; }
  Index pair(int t, int a, int b) const {
    const Index step = pairs_per_position ? t - 1 : 0;
    return static_cast<Index>(num_nodes()) + (step * labels + a) * labels + b;
  }
};

inline ChainParts chain_parts(const SequenceData& data, const ChainLayout& layout, Index i) {
  return {data.length(i), layout.labels,        layout.edge_attributes > 0,
          layout.order,   layout.segment_types, layout.longest_segment};
}

/// Cuts parts of a sequence into those in front of segments, and the segments.
inline std::pair<std::span<const Part>, std::span<const Part>> split_segments(
    const ChainParts& parts, std::span<const Part> items) {
  const auto first = static_cast<Index>(parts.first_segment());
  std::size_t count = items.size();
  while (count > 0 && items[count - 1].id >= first) --count;
  return {items.first(count), items.subspan(count)};
}

/// The scores of all parts of sequence i; `out` has num_parts() entries.
void score_chain(const SequenceData& data, const ChainLayout& layout, Index i, Weights w,
                 double* out);

/// The decoder's view of such scores; behind `pairs` come the triples, if there are any.
inline ChainScores chain_scores(const ChainParts& parts, const double* nodes, const double* pairs) {
  const double* triples = parts.order == 2 ? pairs + parts.num_pairs() : nullptr;
  return {parts.length, parts.labels, nodes, pairs, parts.pairs_per_position, triples};
}

}  // namespace gapwise::internal
