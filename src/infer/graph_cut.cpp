#include "gapwise/infer/graph_cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cassert>
#include <cmath>

#include "gapwise/core/errors.h"

namespace gapwise {
namespace {

/// Part of the largest capacity below which a residual capacity is rounding.
constexpr double kTolerance = 1e-12;

using FlowGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;
using Arc = boost::graph_traits<FlowGraph>::edge_descriptor;
using ArcEnds = std::pair<std::uint32_t, std::uint32_t>;

/// The arc that leads back, for Boost.
struct ReverseArcs {
  using key_type = Arc;
  using value_type = Arc;
  using reference = Arc;
  using category = boost::readable_property_map_tag;
  const Arc* arcs;
  friend Arc get(const ReverseArcs& map, const Arc& arc) { return map.arcs[arc.idx]; }
};

/// Capacities that are left. What is less than the tolerance is nothing.
struct Residuals {
  using key_type = Arc;
  using value_type = double;
  using reference = double;
  using category = boost::read_write_property_map_tag;
  double* values;
  double tolerance;
  friend double get(const Residuals& map, const Arc& arc) { return map.values[arc.idx]; }
  friend void put(const Residuals& map, const Arc& arc, double value) {
    map.values[arc.idx] = value > map.tolerance ? value : 0.0;
  }
};

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

}  // namespace

/// Node v of the graph is vertex v; label 0 is the side of the source. Every node has an arc to the
/// sink and one from the source, of which at most one has a capacity.
struct CutGraph::Network {
  FlowGraph flow;
  std::vector<Arc> reverse;
  /// Where the arcs lie: pairs of arcs there and back, first those from the nodes to the sink,
  /// then those of the edges, then those from the source to the nodes.
  std::vector<std::uint32_t> places;
  std::size_t num_nodes;
  std::size_t num_edges;

  std::uint32_t to_sink(std::size_t v) const { return places[2 * v]; }
  std::uint32_t there(std::size_t e) const { return places[2 * (num_nodes + e)]; }
  std::uint32_t back(std::size_t e) const { return places[2 * (num_nodes + e) + 1]; }
  std::uint32_t from_source(std::size_t v) const { return places[2 * (num_nodes + num_edges + v)]; }
  std::size_t num_arcs() const { return places.size(); }
};

struct CutScratch::Arrays {
  std::vector<double> capacities;
  std::vector<Arc> parents;
  std::vector<boost::default_color_type> colors;
  std::vector<std::int32_t> distances;
};

namespace {

/// All arcs in the order of Network::places.
std::vector<ArcEnds> list_arcs(std::uint32_t nodes, std::span<const NodePair> edges) {
  const std::uint32_t source = nodes;
  const std::uint32_t sink = nodes + 1;
  std::vector<ArcEnds> arcs;
  arcs.reserve(2 * (2 * std::size_t{nodes} + edges.size()));
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    arcs.emplace_back(a, b);
    arcs.emplace_back(b, a);
  };
  for (std::uint32_t v = 0; v < nodes; ++v) join(v, sink);
  for (const auto& [u, v] : edges) {
    join(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v));
  }
  for (std::uint32_t v = 0; v < nodes; ++v) join(source, v);
  return arcs;
}

/// Sorts the arcs by where they start, equal ones in order; where each one went goes to `places`.
std::vector<ArcEnds> sort_arcs(const std::vector<ArcEnds>& arcs, std::size_t vertices,
                               std::vector<std::uint32_t>& places) {
  std::vector<std::uint32_t> next(vertices + 1, 0);
  for (const ArcEnds& arc : arcs) ++next[arc.first + 1];
  for (std::size_t v = 0; v < vertices; ++v) next[v + 1] += next[v];
  std::vector<ArcEnds> sorted(arcs.size());
  places.resize(arcs.size());
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    places[k] = next[arcs[k].first]++;
    sorted[places[k]] = arcs[k];
  }
  return sorted;
}

std::unique_ptr<const CutGraph::Network> make_network(Index nodes,
                                                      std::span<const NodePair> edges) {
  const auto vertices = static_cast<std::uint32_t>(nodes) + 2;
  const std::vector<ArcEnds> arcs = list_arcs(static_cast<std::uint32_t>(nodes), edges);
  auto network = std::make_unique<CutGraph::Network>();
  network->num_nodes = static_cast<std::size_t>(nodes);
  network->num_edges = edges.size();
  const std::vector<ArcEnds> sorted = sort_arcs(arcs, vertices, network->places);
  network->flow = FlowGraph(boost::edges_are_sorted, sorted.begin(), sorted.end(), vertices);
  network->reverse.resize(arcs.size());
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const std::size_t back = k % 2 == 0 ? k + 1 : k - 1;
    network->reverse[network->places[k]] = Arc(arcs[back].first, network->places[back]);
  }
  return network;
}

/// Sets the capacities; returns the largest.
double set_capacities(const CutGraph::Network& network, std::span<const double> node_scores,
                      std::span<const double> edge_penalties, std::vector<double>& capacities) {
  capacities.assign(network.num_arcs(), 0.0);
  double largest = 0.0;
  for (std::size_t v = 0; v < node_scores.size(); ++v) {
    const double score = node_scores[v];
    capacities[score > 0.0 ? network.to_sink(v) : network.from_source(v)] = std::fabs(score);
    largest = std::max(largest, std::fabs(score));
  }
  for (std::size_t e = 0; e < edge_penalties.size(); ++e) {
    capacities[network.there(e)] = edge_penalties[e];
    capacities[network.back(e)] = edge_penalties[e];
    largest = std::max(largest, edge_penalties[e]);
  }
  return largest;
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
    : num_nodes_(nodes), edges_(edges.begin(), edges.end()), network_(make_network(nodes, edges)) {}
CutGraph::~CutGraph() = default;

CutScratch::CutScratch() : arrays_(std::make_unique<Arrays>()) {}
CutScratch::~CutScratch() = default;
CutScratch::CutScratch(CutScratch&&) noexcept = default;
CutScratch& CutScratch::operator=(CutScratch&&) noexcept = default;

BestCut best_cut(const CutGraph& graph, std::span<const double> node_scores,
                 std::span<const double> edge_penalties, CutScratch& scratch,
                 std::span<std::uint8_t> labels_out) {
  const CutGraph::Network& network = graph.network();
  assert(node_scores.size() == network.num_nodes && edge_penalties.size() == network.num_edges);
  check_finite(node_scores, "the score of node");
  check_penalties(graph, edge_penalties);

  CutScratch::Arrays& arrays = scratch.arrays();
  const double largest = set_capacities(network, node_scores, edge_penalties, arrays.capacities);
  const auto vertices = num_vertices(network.flow);
  arrays.parents.resize(vertices);
  arrays.colors.resize(vertices);
  arrays.distances.resize(vertices);
  const Residuals residuals{arrays.capacities.data(), kTolerance * largest};
  const double flow = boost::boykov_kolmogorov_max_flow(
      const_cast<FlowGraph&>(network.flow),  // takes no const graph, and does not change it
      residuals, residuals, ReverseArcs{network.reverse.data()}, arrays.parents.data(),
      arrays.colors.data(), arrays.distances.data(), get(boost::vertex_index, network.flow),
      static_cast<std::uint32_t>(network.num_nodes),
      static_cast<std::uint32_t>(network.num_nodes + 1));

  // White vertices are those that can still reach the sink.
  double largest_score = 0.0;  // of the nodes alone
  for (std::size_t v = 0; v < network.num_nodes; ++v) {
    labels_out[v] = arrays.colors[v] == boost::white_color ? 1 : 0;
    largest_score += std::max(0.0, node_scores[v]);
  }
  return {score_of(graph, node_scores, edge_penalties, labels_out), largest_score - flow};
}

}  // namespace gapwise
