#include "infer/graph/scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gapwise::internal {
namespace {

double dot(std::span<const double> a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

double score_of(const GraphScores& scores, std::span<const std::int32_t> assignment) {
  const FactorGraph& graph = scores.graph;
  double sum = 0.0;
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const auto s = static_cast<std::size_t>(assignment[static_cast<std::size_t>(v)]);
    sum += scores.of_variable(v)[s];
  }
  for (Index c = 0; c < graph.num_factors(); ++c) {
    sum += scores.of_factor(c)[static_cast<std::size_t>(joint_state(graph, c, assignment))];
  }
  return sum;
}

double score_of(const GraphScores& scores, const Beliefs& beliefs) {
  return dot(scores.states, beliefs.states) + dot(scores.joints, beliefs.joints);
}

void set_beliefs(const FactorGraph& graph, std::span<const std::int32_t> assignment,
                 Beliefs& beliefs) {
  beliefs.states.assign(graph.state_parts.size(), 0.0);
  beliefs.joints.assign(graph.table_parts.size(), 0.0);
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    beliefs.states[static_cast<std::size_t>(graph.state_starts[at] + assignment[at])] = 1.0;
  }
  for (Index c = 0; c < graph.num_factors(); ++c) {
    const Index at = graph.table_starts[static_cast<std::size_t>(c)];
    beliefs.joints[static_cast<std::size_t>(at + joint_state(graph, c, assignment))] = 1.0;
  }
}

void round_beliefs(const FactorGraph& graph, const Beliefs& beliefs, Assignment out) {
  const GraphScores of{graph, beliefs.states, beliefs.joints};
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const auto states = of.of_variable(v);
    const auto best = std::max_element(states.begin(), states.end());
    out[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(best - states.begin());
  }
}

double inconsistency(const FactorGraph& graph, const Beliefs& beliefs) {
  const GraphScores of{graph, beliefs.states, beliefs.joints};
  double most = 0.0;
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const auto states = of.of_variable(v);
    most = std::max(most, std::fabs(std::accumulate(states.begin(), states.end(), 0.0) - 1.0));
  }
  std::vector<double> sums;
  for (Index c = 0; c < graph.num_factors(); ++c) {
    const auto joints = of.of_factor(c);
    std::size_t stride = joints.size();
    for (const Index v : graph.scope(c)) {
      const auto states = of.of_variable(v);
      stride /= states.size();
      sums.assign(states.size(), 0.0);
      for (std::size_t y = 0; y < joints.size(); ++y) sums[y / stride % sums.size()] += joints[y];
      for (std::size_t s = 0; s < sums.size(); ++s) {
        most = std::max(most, std::fabs(sums[s] - states[s]));
      }
    }
  }
  return most;
}

}  // namespace gapwise::internal
