#include "infer/graph/plan.h"

#include <numeric>
#include <unordered_map>

namespace gapwise::internal {
namespace {

/// Components of variables that factors join.
class Components {
 public:
  explicit Components(Index variables) : parents_(static_cast<std::size_t>(variables)) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }
  /// False if both were in one component already.
  bool join(Index u, Index v) {
    const std::size_t a = root(static_cast<std::size_t>(u));
    const std::size_t b = root(static_cast<std::size_t>(v));
    parents_[a] = b;
    return a != b;
  }

 private:
  std::size_t root(std::size_t k) {
    while (parents_[k] != k) k = parents_[k] = parents_[parents_[k]];
    return k;
  }

  std::vector<std::size_t> parents_;
};

}  // namespace

GraphPlan::GraphPlan(const FactorGraph& graph)
    : graph_(graph),
      starts_(static_cast<std::size_t>(graph.num_variables()) + 1, 0),
      factors_(graph.scopes.size()),
      elimination_(graph, kMostCells) {
  Components components(graph.num_variables());
  for (Index c = 0; c < graph.num_factors(); ++c) {
    const auto scope = graph.scope(c);
    is_binary_pairs_ = is_binary_pairs_ && scope.size() == 2;
    for (const Index v : scope) {
      ++starts_[static_cast<std::size_t>(v) + 1];
      if (v != scope[0]) is_forest_ = components.join(scope[0], v) && is_forest_;
    }
  }
  for (Index v = 0; v < graph.num_variables(); ++v) {
    is_binary_pairs_ = is_binary_pairs_ && graph.num_states(v) == 2;
    starts_[static_cast<std::size_t>(v) + 1] += starts_[static_cast<std::size_t>(v)];
  }
  std::vector<Index> next(starts_);
  for (Index c = 0; c < graph.num_factors(); ++c) {
    for (const Index v : graph.scope(c)) {
      factors_[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = c;
    }
  }
  if (is_binary_pairs_) list_neighbours();
  list_scored_joints();
}

void GraphPlan::list_neighbours() {
  for (Index v = 0; v < graph_.num_variables(); ++v) {
    for (const Index c : factors_of(v)) {
      const auto scope = graph_.scope(c);
      neighbours_.push_back({static_cast<std::uint32_t>(scope[scope[0] == v ? 1 : 0]),
                             static_cast<std::uint32_t>(c)});
    }
  }
}

void GraphPlan::list_scored_joints() {
  for (Index c = 0; c < graph_.num_factors(); ++c) {
    const auto parts = graph_.parts_of_factor(c);
    for (std::size_t y = 0; y < parts.size(); ++y) {
      if (parts[y] == FactorGraph::kNoPart) continue;
      scored_joints_.push_back(
          {static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(y), parts[y]});
    }
  }
}

GraphPlans::GraphPlans(const FactorGraphs& graphs, Index n) {
  std::unordered_map<const FactorGraph*, std::shared_ptr<const GraphPlan>> known;
  for (Index i = 0; i < n; ++i) {
    auto& plan = known[&graphs.graph(i)];
    if (!plan) plan = std::make_shared<const GraphPlan>(graphs.graph(i));
    plans_.push_back(plan);
  }
}

}  // namespace gapwise::internal
