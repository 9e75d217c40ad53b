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
    lay_out(graph.state_parts, theta, states_);
    lay_out(graph.table_parts, theta, joints_);
    if (augment == Augment::kLoss) add_costs(graphs, i);
    return {graph, states_, joints_};
  }
  /// What the truth scores, which costs nothing.
  static double truth_score(const FactorGraphs& graphs, Index i, const GraphScores& scores) {
    return score_of(scores, graphs.truth(i));
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
