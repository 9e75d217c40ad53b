#include "infer/graph_cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

void check_finite(std::span<const double> values, const char* what) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) continue;
    throw OracleError(fmt::format("graph cut: {} {} is {}; it must be finite", what, k, values[k]));
  }
}

void check_penalties(const CutGraph& graph, std::span<const double> penalties) {
  check_finite(penalties, "the penalty of edge");
  for (std::size_t e = 0; e < penalties.size(); ++e) {
    if (penalties[e] >= 0.0) continue;
    const auto [u, v] = graph.edges()[e];
    throw OracleError(
        fmt::format("graph cut: cutting the edge between nodes {} and {} costs {}; it must not be "
                    "negative, so keep the weights of edges and their features >= 0",
                    u, v, penalties[e]));
  }
}

std::vector<FlowLink> links_of(std::uint32_t nodes, std::span<const NodePair> edges) {
  const std::uint32_t source = nodes;
  const std::uint32_t sink = nodes + 1;
  std::vector<FlowLink> links;
  links.reserve(2 * std::size_t{nodes} + edges.size());
  for (std::uint32_t v = 0; v < nodes; ++v) links.emplace_back(v, sink);
  for (const auto& [u, v] : edges) {
    links.emplace_back(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v));
  }
  for (std::uint32_t v = 0; v < nodes; ++v) links.emplace_back(source, v);
  return links;
}

void set_capacities(std::span<const double> node_scores, std::span<const double> edge_penalties,
                    MaxFlow& flow) {
  const std::size_t nodes = node_scores.size();
  for (std::size_t v = 0; v < nodes; ++v) {
    const bool wants_one = node_scores[v] > 0.0;
    flow.set(wants_one ? v : nodes + edge_penalties.size() + v, std::fabs(node_scores[v]), 0.0);
  }
  for (std::size_t e = 0; e < edge_penalties.size(); ++e) {
    flow.set(nodes + e, edge_penalties[e], edge_penalties[e]);
  }
}

double score_of(const CutGraph& graph, std::span<const double> node_scores,
                std::span<const double> edge_penalties, std::span<const std::uint8_t> labels) {
  double score = 0.0;
  for (std::size_t v = 0; v < labels.size(); ++v) score += labels[v] != 0 ? node_scores[v] : 0.0;
  for (std::size_t e = 0; e < edge_penalties.size(); ++e) {
    const auto [a, b] = graph.edges()[e];
    const bool is_cut = labels[static_cast<std::size_t>(a)] != labels[static_cast<std::size_t>(b)];
    if (is_cut) score -= edge_penalties[e];
  }
  return score;
}

}  // namespace

CutGraph::CutGraph(Index nodes, std::span<const NodePair> edges)
    : num_nodes_(nodes),
      edges_(edges.begin(), edges.end()),
      network_(sink() + 1, links_of(source(), edges)) {}

BestCut best_cut(const CutGraph& graph, std::span<const double> node_scores,
                 std::span<const double> edge_penalties, MaxFlow& flow,
                 std::span<std::uint8_t> labels_out) {
  assert(std::ssize(node_scores) == graph.num_nodes());
  assert(edge_penalties.size() == graph.edges().size());
  check_finite(node_scores, "the score of node");
  check_penalties(graph, edge_penalties);
  flow.start(graph.network());
  set_capacities(node_scores, edge_penalties, flow);
  double bound = -flow.run(graph.source(), graph.sink());
  for (std::size_t v = 0; v < node_scores.size(); ++v) {
    labels_out[v] = flow.reaches_sink(v) ? 1 : 0;
    bound += std::max(0.0, node_scores[v]);
  }
  return {score_of(graph, node_scores, edge_penalties, labels_out), bound};
}

}  // namespace gapwise::internal
