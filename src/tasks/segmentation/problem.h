#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "gapwise/problem.h"
#include "infer/graph_cut.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// Graphs each of whose nodes is foreground (1) or background (0), numbers only. Node v of graph i
/// is row node_starts[i] + v, edge e is row edge_starts[i] + e.
struct SegmentationData {
  std::vector<std::size_t> node_starts{0};
  std::vector<std::size_t> edge_starts{0};
  FeatureRows nodes;
  FeatureRows edges;                ///< no negative values
  std::vector<NodePair> ends;       ///< of each edge, numbered within its graph
  std::vector<std::int8_t> labels;  ///< of each node; -1: not known
  std::vector<double> sizes;        ///< of each node (pixels it stands for), > 0
  /// How many times a wrong node counts, by its true label; empty: once.
  std::vector<double> label_weights;

  Index size() const { return static_cast<Index>(node_starts.size()) - 1; }
  std::size_t num_nodes(Index i) const {
    return node_starts[static_cast<std::size_t>(i) + 1] - node_starts[static_cast<std::size_t>(i)];
  }
  std::size_t num_edges(Index i) const {
    return edge_starts[static_cast<std::size_t>(i) + 1] - edge_starts[static_cast<std::size_t>(i)];
  }
  std::span<const NodePair> ends_of(Index i) const {
    return {ends.data() + edge_starts[static_cast<std::size_t>(i)], num_edges(i)};
  }
};

/// What wrong nodes cost, by their sizes: those of all wrong nodes together (hamming); divided by
/// the size of the graph (normalized-hamming); or each class on its own, half of the loss for each
/// (balanced-hamming; a graph of one class counts as normalized). In the last two the features are
/// divided by the number of nodes: each graph then counts the same, and lambda means the same,
/// however many nodes there are.
enum class SegmentationLoss { kHamming, kNormalizedHamming, kBalancedHamming };
constexpr std::array<std::string_view, 3> enum_names(SegmentationLoss) {
  return {"hamming", "normalized-hamming", "balanced-hamming"};
}

/// How the weights lie in w: one for each attribute of nodes, then one for each of edges.
struct SegmentationLayout {
  Index node_attributes = 0;
  Index edge_attributes = 0;

  Index edge(Index attribute) const { return node_attributes + attribute; }
  Index dimension() const { return edge(edge_attributes); }
};

/// Part v of a graph is "node v is foreground", which scores <w_nodes, x_v>; then come the parts
/// "edge uv is cut", which score -<w_edges, x_uv>. The weights of edges must not be negative (the
/// group `edges` says so), or else the best output is not a minimum cut. InputError if the data do
/// not fit together.
std::unique_ptr<Problem> make_segmentation_problem(std::shared_ptr<const SegmentationData> data,
                                                   const SegmentationLayout& layout,
                                                   SegmentationLoss loss);

/// Labels graphs with given weights; one per thread.
class SegmentationLabeller {
 public:
  SegmentationLabeller(const SegmentationLayout& layout, Weights w) : layout_(layout), w_(w) {}
  /// With scratch memory of its own.
  SegmentationLabeller(const SegmentationLabeller& other)
      : SegmentationLabeller(other.layout_, other.w_) {}
  SegmentationLabeller& operator=(const SegmentationLabeller&) = delete;
  /// The best labels of graph i of `data`, whose attributes are those of the layout; valid until
  /// the next call.
  std::span<const std::uint8_t> label(const SegmentationData& data, Index i);

 private:
  SegmentationLayout layout_;
  Weights w_;
  std::shared_ptr<const CutGraph> graph_;  ///< of the last call
  std::vector<double> scores_;
  MaxFlow flow_;
  std::vector<std::uint8_t> labels_;
};

}  // namespace gapwise::internal
