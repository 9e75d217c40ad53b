#include "tasks/segmentation/problem.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/factor_graph.h"
#include "gapwise/errors.h"
#include "tasks/shared/binary_graphs.h"
#include "tasks/shared/row_sums.h"

namespace gapwise::internal {
namespace {

/// What is computed once for all oracles.
struct SegmentationProblemData {
  std::shared_ptr<const SegmentationData> graphs;
  SegmentationLayout layout;
  SegmentationLoss loss;
  std::vector<std::shared_ptr<const CutGraph>> networks;  ///< graphs of equal shape share one
  std::vector<double> costs;                              ///< of a wrong label, for each node
  std::vector<double> scales;                             ///< of the features, for each graph
};

bool has_shape(const CutGraph& network, Index nodes, std::span<const NodePair> ends) {
  return network.num_nodes() == nodes && std::ranges::equal(network.edges(), ends);
}

std::vector<std::shared_ptr<const CutGraph>> make_networks(const SegmentationData& data) {
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const CutGraph>> known;
  std::vector<std::shared_ptr<const CutGraph>> networks;
  for (Index i = 0; i < data.size(); ++i) {
    const auto ends = data.ends_of(i);
    const auto nodes = static_cast<Index>(data.num_nodes(i));
    const std::uint64_t key =
        XXH3_64bits_withSeed(ends.data(), ends.size_bytes(), static_cast<std::uint64_t>(nodes));
    const auto [first, last] = known.equal_range(key);
    const auto found = std::find_if(
        first, last, [&](const auto& entry) { return has_shape(*entry.second, nodes, ends); });
    networks.push_back(
        found != last ? found->second
                      : known.emplace(key, std::make_shared<const CutGraph>(nodes, ends))->second);
  }
  return networks;
}

/// The costs of graph i, and the factor of its features.
double add_costs(const SegmentationData& data, SegmentationLoss loss, Index i,
                 std::vector<double>& costs) {
  const std::size_t first = data.node_starts[static_cast<std::size_t>(i)];
  std::array<double, 2> totals{};  // of each class
  for (std::size_t v = first; v < first + data.num_nodes(i); ++v) {
    totals[static_cast<std::size_t>(data.labels[v])] += data.sizes[v];
  }
  const double total = totals[0] + totals[1];
  const bool is_balanced =
      loss == SegmentationLoss::kBalancedHamming && totals[0] > 0.0 && totals[1] > 0.0;
  for (std::size_t v = first; v < first + data.num_nodes(i); ++v) {
    const double whole =
        is_balanced ? 2.0 * totals[static_cast<std::size_t>(data.labels[v])] : total;
    costs.push_back(loss == SegmentationLoss::kHamming ? data.sizes[v] : data.sizes[v] / whole);
    if (data.label_weights.empty()) continue;
    costs.back() *= data.label_weights[static_cast<std::size_t>(data.labels[v])];
  }
  return loss == SegmentationLoss::kHamming ? 1.0 : 1.0 / static_cast<double>(data.num_nodes(i));
}

/// out = the scores of all parts of graph i.
void score_parts(const SegmentationData& data, const SegmentationLayout& layout, Index i, Weights w,
                 double scale, std::span<double> out) {
  const std::size_t first_node = data.node_starts[static_cast<std::size_t>(i)];
  const std::size_t first_edge = data.edge_starts[static_cast<std::size_t>(i)];
  const std::size_t nodes = data.num_nodes(i);
  const double* edge_weights = w.data() + layout.edge(0);
  for (std::size_t v = 0; v < nodes; ++v) {
    out[v] = scale * row_dot(data.nodes.row(first_node + v), w.data());
  }
  for (std::size_t e = 0; e < data.num_edges(i); ++e) {
    out[nodes + e] = -scale * row_dot(data.edges.row(first_edge + e), edge_weights);
  }
}

class SegmentationOracle final : public Oracle {
 public:
  explicit SegmentationOracle(const SegmentationProblemData& problem)
      : problem_(problem),
        data_(*problem.graphs),
        sums_(static_cast<std::size_t>(problem.layout.dimension())) {}

  void score(Index i, Weights w, PartScores& theta) override {
    score_parts(data_, problem_.layout, i, w, scale_of(i),
                theta.resize(data_.num_nodes(i) + data_.num_edges(i)));
  }
  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override;
  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const PartRow part = row_of(i, ids[k]);
      out[k] = part.factor * row_dot(part.row, w.data() + part.base);
    }
  }
  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const PartRow part = row_of(i, ids[k]);
      describe_row(part.row, k, static_cast<Index>(part.base), part.factor, out);
    }
    return true;
  }
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    for (const Part& part : v) {
      const PartRow from = row_of(i, part.id);
      add_row(from.row, scale * part.value * from.factor, w.data() + from.base);
    }
  }
  double squared_norm(Index i, const Parts& v) override {
    scatter(i, v, 1.0, sums_);
    double sum = 0.0;
    for (const Part& part : v) {
      const PartRow from = row_of(i, part.id);
      sum += take_squares(from.row, sums_.data() + from.base);
    }
    return sum;
  }
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    scatter(i, u, 1.0, sums_);
    double sum = 0.0;
    for (const Part& part : v) {
      const PartRow from = row_of(i, part.id);
      sum += part.value * from.factor * row_dot(from.row, sums_.data() + from.base);
    }
    for (const Part& part : u) {
      const PartRow from = row_of(i, part.id);
      clear_row(from.row, sums_.data() + from.base);
    }
    return sum;
  }
  bool has_recognition() const override { return true; }
  bool recognize(Index i, const Parts& parts, Corner& out) override;

 private:
  void set_corner(Index i, Corner& out) const;
  /// The column of B_i that belongs to a part: factor * row, from weight `base` on.
  struct PartRow {
    FeatureRow row;
    Index base;
    double factor;
  };
  double scale_of(Index i) const { return problem_.scales[static_cast<std::size_t>(i)]; }
  PartRow row_of(Index i, Index id) const {
    const auto part = static_cast<std::size_t>(id);
    const std::size_t nodes = data_.num_nodes(i);
    if (part < nodes) {
      return {data_.nodes.row(data_.node_starts[static_cast<std::size_t>(i)] + part), 0,
              scale_of(i)};
    }
    return {data_.edges.row(data_.edge_starts[static_cast<std::size_t>(i)] + part - nodes),
            problem_.layout.edge(0), -scale_of(i)};
  }

  const SegmentationProblemData& problem_;
  const SegmentationData& data_;
  std::vector<double> sums_;  ///< zero between calls
  std::vector<double> node_scores_;
  std::vector<double> penalties_;
  std::vector<std::uint8_t> labels_;
  MaxFlow flow_;
};

void SegmentationOracle::decode(Index i, const PartScores& theta, Augment augment, Corner& out) {
  const std::size_t nodes = data_.num_nodes(i);
  const std::size_t first = data_.node_starts[static_cast<std::size_t>(i)];
  const std::int8_t* truth = data_.labels.data() + first;
  const double* costs = problem_.costs.data() + first;
  const auto scores = theta.values();
  node_scores_.assign(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(nodes));
  if (augment == Augment::kLoss) {
    for (std::size_t v = 0; v < nodes; ++v) node_scores_[v] += truth[v] != 0 ? -costs[v] : costs[v];
  }
  penalties_.resize(data_.num_edges(i));
  for (std::size_t e = 0; e < penalties_.size(); ++e) penalties_[e] = -scores[nodes + e];
  labels_.resize(nodes);
  const CutGraph& network = *problem_.networks[static_cast<std::size_t>(i)];
  best_cut(network, node_scores_, penalties_, flow_, labels_);

  set_corner(i, out);
}

/// The corner of labels_.
void SegmentationOracle::set_corner(Index i, Corner& out) const {
  const std::size_t nodes = data_.num_nodes(i);
  const std::size_t first = data_.node_starts[static_cast<std::size_t>(i)];
  const std::int8_t* truth = data_.labels.data() + first;
  const double* costs = problem_.costs.data() + first;
  const CutGraph& network = *problem_.networks[static_cast<std::size_t>(i)];
  out.set_truth();
  for (std::size_t v = 0; v < nodes; ++v) {
    const int difference = truth[v] - labels_[v];
    if (difference == 0) continue;
    out.parts.append(static_cast<Index>(v), difference);
    out.loss += costs[v];
  }
  for (std::size_t e = 0; e < data_.num_edges(i); ++e) {
    const auto u = static_cast<std::size_t>(network.edges()[e].first);
    const auto v = static_cast<std::size_t>(network.edges()[e].second);
    const int difference = (truth[u] != truth[v] ? 1 : 0) - (labels_[u] != labels_[v] ? 1 : 0);
    if (difference != 0) out.parts.append(static_cast<Index>(nodes + e), difference);
  }
}

bool SegmentationOracle::recognize(Index i, const Parts& parts, Corner& out) {
  const std::size_t nodes = data_.num_nodes(i);
  const std::int8_t* truth = data_.labels.data() + data_.node_starts[static_cast<std::size_t>(i)];
  labels_.assign(truth, truth + nodes);
  for (const Part& part : parts) {
    if (part.id < 0 || part.id >= static_cast<Index>(nodes)) continue;
    labels_[static_cast<std::size_t>(part.id)] = part.value < 0.0 ? 1 : 0;
  }
  set_corner(i, out);
  return out.parts == parts;
}

/// Nodes are variables; an edge is a factor with one part for both ways to cut it.
std::shared_ptr<const FactorGraph> make_graph(const CutGraph& network) {
  constexpr Index kNone = FactorGraph::kNoPart;
  auto graph = std::make_shared<FactorGraph>();
  for (Index v = 0; v < network.num_nodes(); ++v) add_variable(*graph, std::array{kNone, v});
  Index cut = network.num_nodes();
  for (const auto& [u, v] : network.edges()) {
    add_factor(*graph, std::array<Index, 2>{u, v}, std::array{kNone, cut, cut, kNone});
    ++cut;
  }
  return graph;
}

BinaryGraphs::Content make_graphs(const SegmentationProblemData& problem) {
  BinaryGraphs::Content all;
  std::unordered_map<const CutGraph*, std::shared_ptr<const FactorGraph>> known;
  for (const auto& network : problem.networks) {
    auto& graph = known[network.get()];
    if (!graph) graph = make_graph(*network);
    all.graphs.push_back(graph);
  }
  all.starts = problem.graphs->node_starts;
  all.truth.assign(problem.graphs->labels.begin(), problem.graphs->labels.end());
  all.costs = problem.costs;
  return all;
}

class SegmentationProblem final : public Problem {
 public:
  SegmentationProblem(std::shared_ptr<const SegmentationData> data,
                      const SegmentationLayout& layout, SegmentationLoss loss)
      : data_{data, layout, loss, make_networks(*data), {}, {}},
        graphs_([this] { return make_graphs(data_); }) {
    for (Index i = 0; i < data->size(); ++i) {
      data_.scales.push_back(add_costs(*data, loss, i, data_.costs));
    }
  }

  Index num_blocks() const override { return data_.graphs->size(); }
  Index dimension() const override { return data_.layout.dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SegmentationOracle>(data_);
  }
  std::vector<WeightGroup> weight_groups() const override {
    const SegmentationLayout& layout = data_.layout;
    std::vector<WeightGroup> groups{{"nodes", 0, layout.edge(0)}};
    if (layout.edge_attributes > 0) groups.push_back({"edges", layout.edge(0), dimension(), true});
    groups.push_back({"all", 0, dimension()});
    return groups;
  }
  double oracle_cost() const override {
    const auto parts = static_cast<double>(data_.graphs->labels.size() + data_.graphs->ends.size());
    return kCostPerPart * parts / static_cast<double>(num_blocks());
  }
  const FactorGraphs* factor_graphs() const override { return &graphs_; }
  std::uint64_t fingerprint() const override;

 private:
  /// A maximum flow passes over every node and edge many times: 6 to 18 times score_some on
  /// photographs of 800 to 7,000 pixels.
  static constexpr double kCostPerPart = 10.0;

  SegmentationProblemData data_;
  BinaryGraphs graphs_;
};

std::uint64_t SegmentationProblem::fingerprint() const {
  const SegmentationData& data = *data_.graphs;
  const std::array<Index, 3> shape{data_.layout.node_attributes, data_.layout.edge_attributes,
                                   static_cast<Index>(data_.loss)};
  std::uint64_t hash = XXH3_64bits(shape.data(), sizeof shape);
  const auto mix = [&](const auto& values) {
    hash = XXH3_64bits_withSeed(values.data(), values.size() * sizeof values[0], hash);
  };
  mix(data.node_starts);
  mix(data.edge_starts);
  mix(data.ends);
  mix(data.labels);
  mix(data.sizes);
  if (!data.label_weights.empty()) mix(data.label_weights);
  data.nodes.hash_into(hash);
  data.edges.hash_into(hash);
  return hash;
}

[[noreturn]] void refuse(Index i, const std::string& what) {
  throw InputError(fmt::format("graph {}: {}", i + 1, what));
}

void check_edges(const SegmentationData& data, Index i) {
  const auto nodes = static_cast<std::int32_t>(data.num_nodes(i));
  for (std::size_t e = 0; e < data.num_edges(i); ++e) {
    const auto [u, v] = data.ends_of(i)[e];
    if (u < 0 || v < 0 || u >= nodes || v >= nodes || u == v) {
      refuse(i, fmt::format("an edge joins nodes {} and {}; they must be two of its {} nodes", u, v,
                            nodes));
    }
    const FeatureRow row = data.edges.row(data.edge_starts[static_cast<std::size_t>(i)] + e);
    for (std::size_t f = 0; row.values != nullptr && f < row.size; ++f) {
      if (row.values[f] >= 0.0) continue;
      refuse(i, fmt::format("a feature of an edge is {}; features of edges must not be negative",
                            row.values[f]));
    }
  }
}

void check(const SegmentationData& data) {
  if (data.size() < 1) throw InputError("there are no graphs to train on");
  if (data.nodes.num_rows() != data.labels.size() || data.sizes.size() != data.labels.size() ||
      data.node_starts.back() != data.labels.size() || data.edges.num_rows() != data.ends.size() ||
      data.edge_starts.back() != data.ends.size()) {
    throw InputError("nodes, edges and their features are not equally many");
  }
  for (Index i = 0; i < data.size(); ++i) {
    if (data.num_nodes(i) == 0) refuse(i, "it has no nodes; leave it out");
    check_edges(data, i);
    for (std::size_t v = data.node_starts[static_cast<std::size_t>(i)];
         v < data.node_starts[static_cast<std::size_t>(i) + 1]; ++v) {
      if (data.labels[v] != 0 && data.labels[v] != 1) {
        refuse(i, "a node has no label; training needs one, 0 or 1, for each");
      }
      if (!(std::isfinite(data.sizes[v]) && data.sizes[v] > 0.0)) {
        refuse(i, fmt::format("a node has the size {}; it must be > 0", data.sizes[v]));
      }
    }
  }
}

}  // namespace

std::unique_ptr<Problem> make_segmentation_problem(std::shared_ptr<const SegmentationData> data,
                                                   const SegmentationLayout& layout,
                                                   SegmentationLoss loss) {
  check(*data);
  return std::make_unique<SegmentationProblem>(std::move(data), layout, loss);
}

std::span<const std::uint8_t> SegmentationLabeller::label(const SegmentationData& data, Index i) {
  const std::size_t nodes = data.num_nodes(i);
  const auto ends = data.ends_of(i);
  if (!graph_ || !has_shape(*graph_, static_cast<Index>(nodes), ends)) {
    graph_ = std::make_shared<const CutGraph>(static_cast<Index>(nodes), ends);
  }
  scores_.resize(nodes + ends.size());
  score_parts(data, layout_, i, w_, 1.0, scores_);
  const std::span<double> scores(scores_);
  for (double& score : scores.subspan(nodes)) score = -score;
  labels_.resize(nodes);
  best_cut(*graph_, scores.first(nodes), scores.subspan(nodes), flow_, labels_);
  return labels_;
}

}  // namespace gapwise::internal
