#include "infer/roof_dual.h"

#include <algorithm>

namespace gapwise::internal {
namespace {

// Networks of so many vertices, of whose pairs at least one in kDenseShare is joined, are dense.
constexpr std::size_t kLeastDense = 64;
constexpr std::size_t kMostDense = 2048;  // 32 MiB
constexpr std::size_t kDenseShare = 16;

}  // namespace

bool PairTerms::is_attractive() const {
  return std::all_of(pairs.begin(), pairs.end(),
                     [](const Pair& pair) { return pair.score >= 0.0; });
}

void RoofDual::run(const PairTerms& problem) {
  decisions_.assign(problem.singles.size(), Decision::kOpen);
  costs_.resize(problem.singles.size());
  arcs_.clear();
  capacities_.clear();
  if (problem.is_attractive()) {
    run_attractive(problem);
  } else {
    run_general(problem);
  }
}

void RoofDual::add_arc(std::size_t from, std::size_t to, double capacity) {
  arcs_.emplace_back(from, to);
  capacities_.push_back(capacity);
}

double RoofDual::run_flow(std::size_t vertices, std::size_t source, std::size_t sink) {
  const FlowNetwork network(static_cast<std::uint32_t>(vertices), arcs_);
  flow_.start(network);
  for (std::size_t k = 0; k < capacities_.size(); ++k) flow_.set(k, capacities_[k], 0.0);
  const double flow =
      flow_.run(static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(sink));
  is_reached_.resize(vertices);
  for (std::size_t v = 0; v < vertices; ++v) is_reached_[v] = flow_.is_reached(v) ? 1 : 0;
  return flow;
}

double RoofDual::run_dense_flow(std::size_t vertices, std::size_t source, std::size_t sink) {
  dense_flow_.start(vertices);
  for (std::size_t k = 0; k < arcs_.size(); ++k) {
    dense_flow_.add(arcs_[k].first, arcs_[k].second, capacities_[k]);
  }
  const double flow = dense_flow_.run(source, sink);
  is_reached_.resize(vertices);
  for (std::size_t v = 0; v < vertices; ++v) is_reached_[v] = dense_flow_.is_reached(v) ? 1 : 0;
  return flow;
}

/// Minimises -score = sum_k cost_k x_k + sum pair_kj x_k (1 - x_j), where cost_k has taken in the
/// pairs of k with later labels: node k is on the source's side if label k is on.
void RoofDual::run_attractive(const PairTerms& problem) {
  const std::size_t size = problem.singles.size();
  const std::size_t source = size;
  const std::size_t sink = size + 1;
  double constant = 0.0;
  auto pair = problem.pairs.begin();
  for (std::size_t k = 0; k < size; ++k) {
    double cost = -problem.singles[k];
    for (; pair != problem.pairs.end() && pair->a == k; ++pair) {
      cost -= pair->score;
      if (pair->score > 0.0) add_arc(k, pair->b, pair->score);
    }
    if (cost > 0.0) add_arc(k, sink, cost);
    if (cost < 0.0) {
      add_arc(source, k, -cost);
      constant += cost;
    }
  }
  upper_bound_ = -(constant + run_flow(size + 2, source, sink));
  for (std::size_t k = 0; k < size; ++k) {
    decisions_[k] = is_reached_[k] != 0 ? Decision::kOn : Decision::kOff;
  }
}

/// -score as a constant and products a u v, a >= 0, of literals u and v: x_k (node 2 k), its
/// complement (node 2 k + 1) and "true". Each gives arcs from u to the complement of v and from v
/// to that of u, of capacity a / 2 each. Literals that "true" still reaches are true in every best
/// set.
void RoofDual::run_general(const PairTerms& problem) {
  const std::size_t size = problem.singles.size();
  const std::size_t source = 2 * size;  // true
  const std::size_t sink = source + 1;  // false
  for (std::size_t k = 0; k < size; ++k) costs_[k] = -problem.singles[k];
  for (const auto& [k, j, pair] : problem.pairs) {
    const std::size_t x = std::size_t{2} * k;
    const std::size_t y = std::size_t{2} * j;
    if (pair < 0.0) {  // -pair x_k x_j
      add_arc(x, y + 1, -pair / 2.0);
      add_arc(y, x + 1, -pair / 2.0);
    } else if (pair > 0.0) {  // -pair x_k + pair x_k (1 - x_j)
      costs_[k] -= pair;
      add_arc(x, y, pair / 2.0);
      add_arc(y + 1, x + 1, pair / 2.0);
    }
  }
  double constant = 0.0;
  for (std::size_t k = 0; k < size; ++k) {
    if (costs_[k] == 0.0) continue;
    const bool wants_on = costs_[k] < 0.0;
    const std::size_t wanted = 2 * k + (wants_on ? 0 : 1);
    const double half = (wants_on ? -costs_[k] : costs_[k]) / 2.0;
    add_arc(source, wanted, half);
    add_arc(wanted ^ 1U, sink, half);
    if (wants_on) constant += costs_[k];
  }
  const std::size_t vertices = size * 2 + 2;
  const bool is_dense = vertices >= kLeastDense && vertices <= kMostDense &&
                        kDenseShare * arcs_.size() >= vertices * vertices;
  upper_bound_ = -(constant + (is_dense ? run_dense_flow(vertices, source, sink)
                                        : run_flow(vertices, source, sink)));
  for (std::size_t k = 0; k < size; ++k) {
    if (is_reached_[2 * k] == is_reached_[2 * k + 1]) continue;
    decisions_[k] = is_reached_[2 * k] != 0 ? Decision::kOn : Decision::kOff;
  }
}

}  // namespace gapwise::internal
