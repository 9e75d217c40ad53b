#include "tasks/shared/factor_graphs/shapes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <numeric>

namespace gapwise::internal {
namespace {

bool has_shape(const FactorGraph& graph, const FactorGraph& other) {
  return graph.state_starts == other.state_starts && graph.scope_starts == other.scope_starts &&
         graph.scopes == other.scopes;
}

std::uint64_t hash_of(const FactorGraph& graph) {
  std::uint64_t hash = 0;
  for (const auto* values : {&graph.state_starts, &graph.scope_starts, &graph.scopes}) {
    hash = XXH3_64bits_withSeed(values->data(), values->size() * sizeof(Index), hash);
  }
  return hash;
}

}  // namespace

std::shared_ptr<const FactorGraph> GraphShapes::share(FactorGraph&& graph) {
  const std::uint64_t key = hash_of(graph);
  const auto [first, last] = shapes_.equal_range(key);
  const auto found =
      std::find_if(first, last, [&](const auto& entry) { return has_shape(*entry.second, graph); });
  if (found != last) return found->second;
  if (!keeps_all_) shapes_.clear();
  graph.table_parts.resize(static_cast<std::size_t>(graph.table_starts.back()));
  std::iota(graph.table_parts.begin(), graph.table_parts.end(), graph.state_starts.back());
  return shapes_.emplace(key, std::make_shared<const FactorGraph>(std::move(graph)))->second;
}

void add_states(FactorGraph& graph, Index states) {
  const Index first = graph.state_starts.back();
  graph.state_parts.resize(static_cast<std::size_t>(first + states));
  std::iota(graph.state_parts.begin() + first, graph.state_parts.end(), first);
  graph.state_starts.push_back(first + states);
}

}  // namespace gapwise::internal
