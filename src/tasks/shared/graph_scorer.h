#pragma once

#include <vector>

#include "gapwise/corner.h"
#include "infer/graph/decoder.h"

namespace gapwise::internal {

/// Lays the scores of parts, and the costs of states, out along the graph of a block. Owns them.
class GraphScorer {
 public:
  GraphScores score(const FactorGraphs& graphs, Index i, const PartScores& theta, Augment augment) {
    const FactorGraph& graph = graphs.graph(i);
    score_states(graphs, i, theta, augment);
    lay_out(graph.table_parts, theta, joints_);
    return {graph, states_, joints_};
  }
  /// Of the states only.
  std::span<const double> score_states(const FactorGraphs& graphs, Index i, const PartScores& theta,
                                       Augment augment) {
    lay_out(graphs.graph(i).state_parts, theta, states_);
    if (augment == Augment::kLoss) add_costs(graphs, i);
    return states_;
  }

 private:
  static void lay_out(const std::vector<Index>& parts, const PartScores& theta,
                      std::vector<double>& out) {
    out.resize(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      out[k] = parts[k] == FactorGraph::kNoPart ? 0.0 : theta[parts[k]];
    }
  }
  void add_costs(const FactorGraphs& graphs, Index i) {
    const FactorGraph& graph = graphs.graph(i);
    auto next = states_.begin();
    for (Index v = 0; v < graph.num_variables(); ++v) {
      for (Index s = 0; s < graph.num_states(v); ++s) *next++ += graphs.cost(i, v, s);
    }
  }

  std::vector<double> states_;
  std::vector<double> joints_;
};

}  // namespace gapwise::internal
