#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gapwise/types.h"
#include "infer/flow_network.h"

namespace gapwise::internal {

/// The two nodes of an undirected edge, numbered from 0.
using NodePair = std::pair<std::int32_t, std::int32_t>;

/// The flow network over one graph. Built once; scores come and go. Immutable, hence shared by
/// threads.
class CutGraph {
 public:
  /// `edges` join different nodes of 0..nodes-1; the same two may be joined several times.
  CutGraph(Index nodes, std::span<const NodePair> edges);

  Index num_nodes() const { return num_nodes_; }
  std::span<const NodePair> edges() const { return edges_; }

  /// Node v of the graph is vertex v; label 0 is the side of the source. Every node has a link to
  /// the sink and one to the source, of which at most one has a capacity; those to the sink come
  /// first, then those of the edges.
  const FlowNetwork& network() const { return network_; }
  std::uint32_t source() const { return static_cast<std::uint32_t>(num_nodes_); }
  std::uint32_t sink() const { return source() + 1; }

 private:
  Index num_nodes_;
  std::vector<NodePair> edges_;
  FlowNetwork network_;
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
                 std::span<const double> edge_penalties, MaxFlow& flow,
                 std::span<std::uint8_t> labels_out);

}  // namespace gapwise::internal
