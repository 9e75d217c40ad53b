#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "gapwise/problem.h"

namespace gapwise::internal::testing {

/// A block given by all it consists of: a graph, its truth and costs, and the feature vector of
/// each part.
struct GraphBlock {
  std::shared_ptr<const FactorGraph> graph;
  std::vector<std::int32_t> truth;
  std::vector<double> costs;                  ///< by state of all variables
  std::vector<std::vector<double>> features;  ///< by part

  /// Calls visit(states) for every assignment.
  template <class Visit>
  void for_each_assignment(Visit visit) const {
    std::vector<std::int32_t> y(truth.size(), 0);
    while (true) {
      visit(y);
      Index v = std::ssize(y) - 1;
      while (v >= 0 && ++y[static_cast<std::size_t>(v)] == graph->num_states(v)) {
        y[static_cast<std::size_t>(v--)] = 0;
      }
      if (v < 0) return;
    }
  }
  Index joint(Index c, const std::vector<std::int32_t>& y) const {
    Index at = 0;
    for (const Index v : graph->scope(c)) {
      at = at * graph->num_states(v) + y[static_cast<std::size_t>(v)];
    }
    return at;
  }
  /// m(y) times `value`, collected.
  void collect(const std::vector<std::int32_t>& y, double value, Parts& out) const {
    const auto add = [&](Index part) {
      if (part != FactorGraph::kNoPart) out.collect(part, value);
    };
    for (Index v = 0; v < graph->num_variables(); ++v) {
      add(graph->parts_of_variable(v)[static_cast<std::size_t>(y[static_cast<std::size_t>(v)])]);
    }
    for (Index c = 0; c < graph->num_factors(); ++c) {
      add(graph->parts_of_factor(c)[static_cast<std::size_t>(joint(c, y))]);
    }
  }
  double cost(Index v, Index s) const {
    return costs[static_cast<std::size_t>(graph->state_starts[static_cast<std::size_t>(v)] + s)];
  }
  double loss(const std::vector<std::int32_t>& y) const {
    double sum = 0.0;
    for (std::size_t v = 0; v < y.size(); ++v) sum += cost(static_cast<Index>(v), y[v]);
    return sum;
  }
};

/// Decodes by trying all assignments.
class GraphOracle final : public Oracle {
 public:
  explicit GraphOracle(const std::vector<GraphBlock>& blocks) : blocks_(blocks) {}

  void score(Index i, Weights w, PartScores& theta) override {
    const auto& features = block(i).features;
    const std::span<double> scores = theta.resize(features.size());
    for (std::size_t r = 0; r < features.size(); ++r) scores[r] = product(features[r], w);
  }
  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    out.set_truth();
    double best = 0.0;
    Parts parts;
    block(i).for_each_assignment([&](const std::vector<std::int32_t>& y) {
      parts.clear();
      block(i).collect(block(i).truth, 1.0, parts);
      block(i).collect(y, -1.0, parts);
      parts.normalize();
      const double loss = block(i).loss(y);
      const double value = violation(augment == Augment::kLoss ? loss : 0.0, parts, theta);
      if (value <= best) return;
      best = value;
      out.parts = parts;
      out.loss = loss;
    });
  }
  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) out[k] = product(feature(i, ids[k]), w);
  }
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    for (const Part& part : v) {
      const auto& x = feature(i, part.id);
      for (std::size_t j = 0; j < x.size(); ++j) w[j] += scale * part.value * x[j];
    }
  }
  double squared_norm(Index i, const Parts& v) override { return inner_product(i, v, v); }
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    std::vector<double> a(feature(i, 0).size(), 0.0);
    std::vector<double> b(a.size(), 0.0);
    scatter(i, u, 1.0, a);
    scatter(i, v, 1.0, b);
    return product(a, b);
  }

 private:
  const GraphBlock& block(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }
  const std::vector<double>& feature(Index i, Index part) const {
    return block(i).features[static_cast<std::size_t>(part)];
  }
  static double product(Weights a, Weights b) {
    double sum = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
    return sum;
  }

  const std::vector<GraphBlock>& blocks_;
};

class GraphProblem final : public Problem, public FactorGraphs {
 public:
  GraphProblem(Index dimension, std::vector<GraphBlock> blocks)
      : dimension_(dimension), blocks_(std::move(blocks)) {}

  Index num_blocks() const override { return std::ssize(blocks_); }
  Index dimension() const override { return dimension_; }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<GraphOracle>(blocks_);
  }
  double oracle_cost() const override { return 100.0; }
  std::uint64_t fingerprint() const override { return blocks_.size(); }
  const FactorGraphs* factor_graphs() const override { return this; }

  const FactorGraph& graph(Index i) const override { return *block(i).graph; }
  std::span<const std::int32_t> truth(Index i) const override { return block(i).truth; }
  double cost(Index i, Index v, Index s) const override { return block(i).cost(v, s); }

  const GraphBlock& block(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }
  const std::vector<GraphBlock>& blocks() const { return blocks_; }

 private:
  Index dimension_;
  std::vector<GraphBlock> blocks_;
};

/// Golden example G4: two variables of two states and a factor; lambda = 0.5.
inline std::unique_ptr<GraphProblem> golden_g4() {
  auto graph = std::make_shared<FactorGraph>();
  graph->state_starts = {0, 2, 4};
  graph->state_parts = {FactorGraph::kNoPart, 0, FactorGraph::kNoPart, 1};
  graph->scope_starts = {0, 2};
  graph->scopes = {0, 1};
  graph->table_starts = {0, 4};
  graph->table_parts = {2, FactorGraph::kNoPart, FactorGraph::kNoPart, 2};
  GraphBlock block{graph, {1, 0}, {1, 0, 0, 1}, {{1, 0, 0}, {0, 2, 0}, {0, 0, 1}}};
  return std::make_unique<GraphProblem>(3, std::vector<GraphBlock>{block});
}

struct GraphSpec {
  Index blocks = 5;
  Index variables = 5;
  Index most_states = 4;
  Index most_arity = 4;
  Index factors = 5;  ///< of a graph with cycles
  bool is_forest = false;
  std::size_t dimension = 8;
  std::uint64_t seed = 1;
};

/// Random graphs. Some states have no part, some joint states share theirs, and features are dense
/// for half of the parts and of small numbers, for ties, for the rest.
inline std::unique_ptr<GraphProblem> random_graphs(const GraphSpec& spec) {
  Rng rng(spec.seed);
  std::vector<GraphBlock> blocks;
  for (Index i = 0; i < spec.blocks; ++i) {
    auto graph = std::make_shared<FactorGraph>();
    GraphBlock block;
    Index parts = 0;
    const auto new_part = [&]() -> Index {
      if (rng.uniform() < 0.2) return FactorGraph::kNoPart;
      if (parts > 0 && rng.uniform() < 0.3) return rng.below(parts);
      return parts++;
    };
    for (Index v = 0; v < spec.variables; ++v) {
      const Index states = 2 + rng.below(spec.most_states - 1);
      const Index truth = rng.below(states);
      block.truth.push_back(static_cast<std::int32_t>(truth));
      for (Index s = 0; s < states; ++s) {
        graph->state_parts.push_back(new_part());
        block.costs.push_back(s == truth ? 0.0 : 0.25 * static_cast<double>(1 + rng.below(4)));
      }
      graph->state_starts.push_back(std::ssize(graph->state_parts));
    }
    // A forest: each factor has one variable that came before, and new ones.
    Index seen = 1;
    for (Index c = 0; spec.is_forest ? seen < spec.variables : c < spec.factors; ++c) {
      const Index arity = 2 + rng.below(std::min(spec.most_arity, spec.variables) - 1);
      std::vector<Index> scope;
      if (spec.is_forest) {
        scope.push_back(rng.below(seen));
        while (std::ssize(scope) < arity && seen < spec.variables) scope.push_back(seen++);
      } else {
        for (Index v = 0; v < spec.variables; ++v) scope.push_back(v);
        rng.shuffle(std::span(scope));
        scope.resize(static_cast<std::size_t>(arity));
      }
      Index size = 1;
      for (const Index v : scope) size *= graph->num_states(v);
      for (Index y = 0; y < size; ++y) graph->table_parts.push_back(new_part());
      graph->scopes.insert(graph->scopes.end(), scope.begin(), scope.end());
      graph->scope_starts.push_back(std::ssize(graph->scopes));
      graph->table_starts.push_back(std::ssize(graph->table_parts));
    }
    parts = std::max<Index>(parts, 1);
    for (Index r = 0; r < parts; ++r) {
      std::vector<double> x(spec.dimension);
      for (double& value : x) {
        value = r % 2 == 0 ? rng.uniform() * 2.0 - 1.0 : static_cast<double>(rng.below(3)) - 1.0;
      }
      block.features.push_back(std::move(x));
    }
    block.graph = std::move(graph);
    blocks.push_back(std::move(block));
  }
  return std::make_unique<GraphProblem>(static_cast<Index>(spec.dimension), std::move(blocks));
}

/// k copies of every example.
inline std::unique_ptr<GraphProblem> copies(const GraphProblem& problem, int k) {
  std::vector<GraphBlock> blocks;
  for (int copy = 0; copy < k; ++copy) {
    blocks.insert(blocks.end(), problem.blocks().begin(), problem.blocks().end());
  }
  return std::make_unique<GraphProblem>(problem.dimension(), std::move(blocks));
}

}  // namespace gapwise::internal::testing
