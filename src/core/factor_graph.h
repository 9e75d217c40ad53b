#pragma once

#include <cassert>
#include <span>

#include "gapwise/factor_graph.h"

namespace gapwise::internal {

/// Adds a variable whose states stand for `parts`.
inline void add_variable(FactorGraph& graph, std::span<const Index> parts) {
  graph.state_parts.insert(graph.state_parts.end(), parts.begin(), parts.end());
  graph.state_starts.push_back(std::ssize(graph.state_parts));
}

/// Adds a factor over variables that are there. Its joint states stand for `parts`, the last
/// variable of the scope moving fastest.
inline void add_factor(FactorGraph& graph, std::span<const Index> scope,
                       std::span<const Index> parts) {
  [[maybe_unused]] Index size = 1;
  for (const Index v : scope) size *= graph.num_states(v);
  assert(size == std::ssize(parts));
  graph.scopes.insert(graph.scopes.end(), scope.begin(), scope.end());
  graph.scope_starts.push_back(std::ssize(graph.scopes));
  graph.table_parts.insert(graph.table_parts.end(), parts.begin(), parts.end());
  graph.table_starts.push_back(std::ssize(graph.table_parts));
}

/// The joint state of factor c, as a place in its table, of an assignment with a state for each
/// variable.
template <class States>
Index joint_state(const FactorGraph& graph, Index c, const States& states) {
  Index place = 0;
  for (const Index v : graph.scope(c)) {
    place = place * graph.num_states(v) + static_cast<Index>(states[static_cast<std::size_t>(v)]);
  }
  return place;
}

}  // namespace gapwise::internal
