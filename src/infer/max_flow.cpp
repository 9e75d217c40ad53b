#include "infer/max_flow.h"

#include <algorithm>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace gapwise {
namespace {

/// Residual capacities of at most this fraction of the largest capacity are rounding errors.
constexpr double kRoundingFraction = 1e-12;

using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::size_t, std::size_t>;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

}  // namespace

/// Every arc becomes an edge and one back of capacity 0. Edges are sorted by the node they leave.
struct MaxFlow::Network {
  std::vector<std::pair<std::size_t, std::size_t>> ends;  ///< by edge, as the next three
  std::vector<double> capacities;
  std::vector<double> residuals;
  std::vector<Edge> opposites;
  std::vector<std::size_t> next;  ///< by node, as the rest: where its edges end
  std::vector<Edge> predecessors;
  std::vector<boost::default_color_type> colors;
  std::vector<long> distances;
  std::vector<std::uint8_t> is_reached;
  std::vector<std::size_t> queue;

  void build(std::size_t nodes, std::span<const FlowArc> arcs);
  void reach(std::size_t source);
};

void MaxFlow::Network::build(std::size_t nodes, std::span<const FlowArc> arcs) {
  next.assign(nodes + 1, 0);
  for (const FlowArc& arc : arcs) {
    ++next[arc.from + 1];
    ++next[arc.to + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  const std::size_t edges = 2 * arcs.size();
  ends.resize(edges);
  capacities.resize(edges);
  residuals.resize(edges);
  opposites.resize(edges);
  for (const FlowArc& arc : arcs) {
    const std::size_t forward = next[arc.from]++;
    const std::size_t back = next[arc.to]++;
    ends[forward] = {arc.from, arc.to};
    ends[back] = {arc.to, arc.from};
    capacities[forward] = arc.capacity;
    capacities[back] = 0.0;
    opposites[forward] = Edge(arc.to, back);
    opposites[back] = Edge(arc.from, forward);
  }
  predecessors.resize(nodes);
  colors.resize(nodes);
  distances.assign(nodes, 0);
}

/// What the residual capacities lead to. The search trees of the algorithm would do if there were
/// no rounding: a flow of 1e-17 that is left over leads from one to all.
void MaxFlow::Network::reach(std::size_t source) {
  const double largest =
      capacities.empty() ? 0.0 : *std::max_element(capacities.begin(), capacities.end());
  is_reached.assign(predecessors.size(), 0);
  is_reached[source] = 1;
  queue.assign(1, source);
  while (!queue.empty()) {
    const std::size_t node = queue.back();
    queue.pop_back();
    for (std::size_t e = node == 0 ? 0 : next[node - 1]; e < next[node]; ++e) {
      const std::size_t other = ends[e].second;
      if (is_reached[other] != 0 || residuals[e] <= kRoundingFraction * largest) continue;
      is_reached[other] = 1;
      queue.push_back(other);
    }
  }
}

MaxFlow::MaxFlow() : network_(std::make_unique<Network>()) {}
MaxFlow::~MaxFlow() = default;
MaxFlow::MaxFlow(MaxFlow&&) noexcept = default;
MaxFlow& MaxFlow::operator=(MaxFlow&&) noexcept = default;

double MaxFlow::run(std::size_t nodes, std::span<const FlowArc> arcs, std::size_t source,
                    std::size_t sink) {
  Network& network = *network_;
  network.build(nodes, arcs);
  Graph graph(boost::edges_are_sorted, network.ends.begin(), network.ends.end(), nodes);
  const auto by_edge = [&](auto& values) {
    return boost::make_iterator_property_map(values.begin(), boost::get(boost::edge_index, graph));
  };
  const auto node_index = boost::get(boost::vertex_index, graph);
  const auto by_node = [&](auto& values) {
    return boost::make_iterator_property_map(values.begin(), node_index);
  };
  const double flow = boost::boykov_kolmogorov_max_flow(
      graph, by_edge(network.capacities), by_edge(network.residuals), by_edge(network.opposites),
      by_node(network.predecessors), by_node(network.colors), by_node(network.distances),
      node_index, source, sink);
  network.reach(source);
  return flow;
}

bool MaxFlow::is_reached(std::size_t node) const {
  return network_->is_reached[node] != 0;
}

}  // namespace gapwise
