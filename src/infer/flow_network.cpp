#include "infer/flow_network.h"

#include <algorithm>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/range/iterator_range.hpp>
#include <vector>

namespace gapwise::internal {
namespace {

/// Part of the largest capacity below which a residual capacity is rounding: a flow of 1e-17 that
/// is left over would lead from one side of the cut to the other.
constexpr double kTolerance = 1e-12;

using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;
using Arc = boost::graph_traits<Graph>::edge_descriptor;

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

}  // namespace

struct FlowNetwork::Arcs {
  Graph graph;
  std::vector<Arc> reverse;
  std::vector<std::uint32_t> places;  ///< of link k there at 2 k and back at 2 k + 1
};

struct MaxFlow::Arrays {
  const FlowNetwork::Arcs* network = nullptr;
  std::vector<double> capacities;
  double largest = 0.0;
  std::vector<Arc> parents;
  std::vector<boost::default_color_type> colors;
  std::vector<std::int32_t> distances;
  std::uint32_t sink = 0;
  std::vector<std::uint8_t> to_sink;  ///< by vertex; empty: not known yet
  std::vector<std::uint32_t> found;

  void find_what_reaches_sink() {
    to_sink.assign(num_vertices(network->graph), 0);
    to_sink[sink] = 1;
    found.assign(1, sink);
    for (std::size_t k = 0; k < found.size(); ++k) {
      for (const auto& arc : boost::make_iterator_range(out_edges(found[k], network->graph))) {
        const std::uint32_t from = target(arc, network->graph);
        if (to_sink[from] != 0 || !(capacities[network->reverse[arc.idx].idx] > 0.0)) continue;
        to_sink[from] = 1;
        found.push_back(from);
      }
    }
  }
};

FlowNetwork::FlowNetwork(std::uint32_t vertices, std::span<const FlowLink> links) {
  // Arcs sorted by where they start, in the order of the links.
  std::vector<std::uint32_t> next(std::size_t{vertices} + 1, 0);
  for (const auto& [u, v] : links) {
    ++next[u + 1];
    ++next[v + 1];
  }
  for (std::size_t v = 0; v < vertices; ++v) next[v + 1] += next[v];
  auto arcs = std::make_unique<Arcs>();
  std::vector<FlowLink> sorted(2 * links.size());
  arcs->places.reserve(sorted.size());
  arcs->reverse.resize(sorted.size());
  for (const auto& [u, v] : links) {
    const std::uint32_t there = next[u]++;
    const std::uint32_t back = next[v]++;
    sorted[there] = {u, v};
    sorted[back] = {v, u};
    arcs->places.push_back(there);
    arcs->places.push_back(back);
    arcs->reverse[there] = Arc(v, back);
    arcs->reverse[back] = Arc(u, there);
  }
  arcs->graph = Graph(boost::edges_are_sorted, sorted.begin(), sorted.end(), vertices);
  arcs_ = std::move(arcs);
}
FlowNetwork::~FlowNetwork() = default;

MaxFlow::MaxFlow() : arrays_(make_hidden<Arrays>()) {}

void MaxFlow::start(const FlowNetwork& network) {
  arrays_->network = &network.arcs();
  arrays_->capacities.assign(network.arcs().places.size(), 0.0);
  arrays_->largest = 0.0;
}

void MaxFlow::set(std::size_t k, double there, double back) {
  const std::vector<std::uint32_t>& places = arrays_->network->places;
  arrays_->capacities[places[2 * k]] = there;
  arrays_->capacities[places[2 * k + 1]] = back;
  arrays_->largest = std::max({arrays_->largest, there, back});
}

double MaxFlow::run(std::uint32_t source, std::uint32_t sink) {
  const FlowNetwork::Arcs& network = *arrays_->network;
  const auto vertices = num_vertices(network.graph);
  arrays_->sink = sink;
  arrays_->to_sink.clear();
  arrays_->parents.resize(vertices);
  arrays_->colors.resize(vertices);
  arrays_->distances.resize(vertices);
  // What flows into the source or out of the sink never helps, and Boost's trees lose vertices by
  // it.
  for (const auto& arc : boost::make_iterator_range(out_edges(source, network.graph))) {
    arrays_->capacities[network.reverse[arc.idx].idx] = 0.0;
  }
  for (const auto& arc : boost::make_iterator_range(out_edges(sink, network.graph))) {
    arrays_->capacities[arc.idx] = 0.0;
  }
  const Residuals residuals{arrays_->capacities.data(), kTolerance * arrays_->largest};
  return boost::boykov_kolmogorov_max_flow(
      const_cast<Graph&>(network.graph),  // takes no const graph, and does not change it
      residuals, residuals, ReverseArcs{network.reverse.data()}, arrays_->parents.data(),
      arrays_->colors.data(), arrays_->distances.data(), get(boost::vertex_index, network.graph),
      source, sink);
}

// At the end the tree of the source holds all that it still reaches. That of the sink was seen to
// hold more than what reaches it.

bool MaxFlow::is_reached(std::size_t vertex) const {
  return arrays_->colors[vertex] == boost::black_color;
}
bool MaxFlow::reaches_sink(std::size_t vertex) const {
  if (arrays_->to_sink.empty()) arrays_->find_what_reaches_sink();
  return arrays_->to_sink[vertex] != 0;
}

}  // namespace gapwise::internal
