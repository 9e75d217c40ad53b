#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/factor_graph.h"
#include "gapwise/parts.h"

namespace gapwise::internal::testing {

/// An assignment of the graph of a block, from its definition: m(y_i) - m(y) and L_i(y).
struct GraphOutput {
  Parts parts;
  double loss = 0.0;
};

/// Collects `value` times m(y).
template <class States>
void collect_parts(const FactorGraph& graph, const States& states, double value, Parts& out) {
  const auto collect = [&](Index part) {
    if (part != FactorGraph::kNoPart) out.collect(part, value);
  };
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const auto s = static_cast<std::size_t>(states[static_cast<std::size_t>(v)]);
    collect(graph.parts_of_variable(v)[s]);
  }
  for (Index c = 0; c < graph.num_factors(); ++c) {
    const auto place = static_cast<std::size_t>(joint_state(graph, c, states));
    collect(graph.parts_of_factor(c)[place]);
  }
}

inline GraphOutput graph_output(const FactorGraphs& graphs, Index i,
                                const std::vector<std::int32_t>& states) {
  GraphOutput output;
  collect_parts(graphs.graph(i), graphs.truth(i), 1.0, output.parts);
  collect_parts(graphs.graph(i), states, -1.0, output.parts);
  output.parts.normalize();
  for (std::size_t v = 0; v < states.size(); ++v) {
    output.loss += graphs.cost(i, static_cast<Index>(v), states[v]);
  }
  return output;
}

inline double num_assignments(const FactorGraph& graph) {
  double count = 1.0;
  for (Index v = 0; v < graph.num_variables(); ++v) {
    count *= static_cast<double>(graph.num_states(v));
  }
  return count;
}

/// Calls visit(states) for all assignments, the last variable moving fastest.
template <class Visit>
void for_each_assignment(const FactorGraph& graph, Visit visit) {
  std::vector<std::int32_t> states(static_cast<std::size_t>(graph.num_variables()), 0);
  while (true) {
    visit(states);
    Index v = graph.num_variables() - 1;
    for (; v >= 0; --v) {
      std::int32_t& state = states[static_cast<std::size_t>(v)];
      if (++state < graph.num_states(v)) break;
      state = 0;
    }
    if (v < 0) return;
  }
}

}  // namespace gapwise::internal::testing
