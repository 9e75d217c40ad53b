#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "gapwise/factor_graph.h"

namespace gapwise::internal {

/// Factor graphs whose parts are numbered as the problem numbers them: states of all variables,
/// then joint states of all factors. Those of equal shape share one, which saves their tables.
class GraphShapes {
 public:
  /// Whether all shapes are kept, or only the last one: graphs to predict come and go.
  explicit GraphShapes(bool keeps_all) : keeps_all_(keeps_all) {}
  /// Numbers the parts of `graph`, or gives one of the same shape that was kept.
  std::shared_ptr<const FactorGraph> share(FactorGraph&& graph);

 private:
  bool keeps_all_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const FactorGraph>> shapes_;
};

/// Adds a variable with so many states.
void add_states(FactorGraph& graph, Index states);

}  // namespace gapwise::internal
