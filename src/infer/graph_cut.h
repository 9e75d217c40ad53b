#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// The two nodes of an undirected edge, numbered from 0.
using NodePair = std::pair<std::int32_t, std::int32_t>;

/// The flow network over one graph. Built once; scores come and go. Immutable, hence shared by
/// threads.
class CutGraph {
 public:
  /// `edges` join different nodes of 0..nodes-1; the same two may be joined several times.
  CutGraph(Index nodes, std::span<const NodePair> edges);
  ~CutGraph();
  CutGraph(const CutGraph&) = delete;
  CutGraph& operator=(const CutGraph&) = delete;

  struct Network;
  const Network& network() const { return *network_; }
  Index num_nodes() const { return num_nodes_; }
  std::span<const NodePair> edges() const { return edges_; }

 private:
  Index num_nodes_;
  std::vector<NodePair> edges_;
  std::unique_ptr<const Network> network_;
};

/// Scratch memory of the decoder, reused between calls.
class CutScratch {
 public:
  CutScratch();
  ~CutScratch();
  CutScratch(CutScratch&&) noexcept;
  CutScratch& operator=(CutScratch&&) noexcept;

  struct Arrays;
  Arrays& arrays() { return *arrays_; }

 private:
  std::unique_ptr<Arrays> arrays_;
};

/// What a decode found.
struct BestCut {
  double score;  ///< of the labels
  double bound;  ///< no labelling scores more, as the maximum flow proves; equal but for rounding
};

/// The labels y_v in {0, 1} with the largest
///   sum_v node_scores[v] y_v  -  sum_{e = uv} edge_penalties[e] [y_u != y_v],
/// by a minimum cut (Boykov and Kolmogorov). Of several best labellings it is the one with the
/// fewest ones, which all others contain. Residual capacities of at most 1e-12 of the largest
/// capacity count as none. OracleError if a penalty is negative or a number is not finite: the cut
/// would then not be the best labelling.
BestCut best_cut(const CutGraph& graph, std::span<const double> node_scores,
                 std::span<const double> edge_penalties, CutScratch& scratch,
                 std::span<std::uint8_t> labels_out);

}  // namespace gapwise::internal
