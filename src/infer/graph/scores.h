#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/factor_graph.h"

namespace gapwise::internal {

/// What the states and joint states of a factor graph score, in the order of the graph's parts.
struct GraphScores {
  const FactorGraph& graph;
  std::span<const double> states;
  std::span<const double> joints;

  std::span<const double> of_variable(Index v) const {
    return range(states, graph.state_starts, v);
  }
  std::span<const double> of_factor(Index c) const { return range(joints, graph.table_starts, c); }

 private:
  static std::span<const double> range(std::span<const double> of, const std::vector<Index>& starts,
                                       Index k) {
    const auto begin = static_cast<std::size_t>(starts[static_cast<std::size_t>(k)]);
    const auto end = static_cast<std::size_t>(starts[static_cast<std::size_t>(k) + 1]);
    return of.subspan(begin, end - begin);
  }
};

/// How much of each state and joint state there is: a point of the local polytope, where the states
/// of a variable add up to 1 and so do the joint states of each factor that have them.
struct Beliefs {
  std::vector<double> states;
  std::vector<double> joints;
};

/// A state for each variable.
using Assignment = std::span<std::int32_t>;

/// The score of an assignment.
double score_of(const GraphScores& scores, std::span<const std::int32_t> assignment);
/// The same of beliefs, in which all is linear.
double score_of(const GraphScores& scores, const Beliefs& beliefs);
/// The beliefs that are an assignment.
void set_beliefs(const FactorGraph& graph, std::span<const std::int32_t> assignment,
                 Beliefs& beliefs);
/// The state of each variable with the largest belief, the first of several.
void round_beliefs(const FactorGraph& graph, const Beliefs& beliefs, Assignment out);
/// How far the sums of the beliefs are from those of a point of the local polytope at the most.
double inconsistency(const FactorGraph& graph, const Beliefs& beliefs);

/// What is known of an assignment or of beliefs that were found.
struct GraphResult {
  double value = 0.0;        ///< their score
  double upper_bound = 0.0;  ///< none scores more
  bool is_exact = true;      ///< none scores more than `value`; the bound is then the value
};

}  // namespace gapwise::internal
