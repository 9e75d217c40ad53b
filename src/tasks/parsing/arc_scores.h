#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gapwise/types.h"
#include "tasks/parsing/arc_rows.h"
#include "tasks/parsing/problem.h"

namespace gapwise::internal {

/// Scores all labelled arcs of a sentence; owns scratch memory.
class ArcScorer {
 public:
  /// out[arc * num_labels + l] for all arcs and labels.
  void score(const ArcRows& rows, const ParsingFeatures& features, Weights w, double* out);

 private:
  std::vector<double> arc_sums_;    ///< of head and word rows, then of arcs
  std::vector<double> label_sums_;  ///< of head and word rows
};

/// What errors cost; no truth: nothing does.
struct TrueTree {
  std::span<const std::int32_t> heads;
  std::span<const std::int32_t> labels;
  double cost = 0.0;  ///< of a wrong head, and of a wrong label

  double head_cost(int h, int m) const {
    return heads.empty() || heads[static_cast<std::size_t>(m - 1)] == h ? 0.0 : cost;
  }
  double label_cost(int l, int m) const {
    return labels.empty() || labels[static_cast<std::size_t>(m - 1)] == l ? 0.0 : cost;
  }
};

/// Finds the best tree for scores of labelled arcs; owns scratch memory.
class TreeDecoder {
 public:
  explicit TreeDecoder(const TreeKind& kind) : kind_(kind) {}

  /// Maximises score plus cost among the trees that the rules allow; if there are none, the result
  /// breaks a rule. Of equally good labels of an arc the smallest is taken.
  void decode(std::span<const ParsingWord> words, int num_labels, const double* scores,
              const TrueTree& truth, std::span<std::int32_t> heads, std::span<std::int32_t> labels);

 private:
  const double* allowed(std::span<const ParsingWord> words, int num_labels, const double* scores);
  void punish_forbidden(int words);

  TreeKind kind_;
  std::vector<double> arcs_;
  std::vector<double> allowed_;
  EisnerScratch eisner_;
  SpanningTreeScratch spanning_tree_;
};

}  // namespace gapwise::internal
