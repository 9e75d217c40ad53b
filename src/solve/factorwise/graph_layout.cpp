#include "solve/factorwise/graph_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

[[noreturn]] void refuse(Index i, const std::string& what) {
  throw OracleError(fmt::format("the factor graph of example {} {}", i, what));
}

/// Starts of ranges that cover `size` things.
void check_starts(const std::vector<Index>& starts, std::size_t size, Index i, const char* of) {
  const bool is_whole = !starts.empty() && starts.front() == 0 &&
                        starts.back() == static_cast<Index>(size) &&
                        std::is_sorted(starts.begin(), starts.end());
  if (!is_whole) refuse(i, fmt::format("has ranges of {} that do not cover all of them", of));
}

}  // namespace

GraphLayout::GraphLayout(const FactorGraph& graph, Index i)
    : num_variables_(graph.num_variables()) {
  check_starts(graph.state_starts, graph.state_parts.size(), i, "states");
  check_starts(graph.scope_starts, graph.scopes.size(), i, "scopes");
  check_starts(graph.table_starts, graph.table_parts.size(), i, "joint states");
  if (graph.table_starts.size() != graph.scope_starts.size()) {
    refuse(i, fmt::format("has {} tables for {} factors",
                          static_cast<Index>(graph.table_starts.size()) - 1, graph.num_factors()));
  }
  regions_.reserve(static_cast<std::size_t>(num_variables_ + graph.num_factors()));
  for (Index v = 0; v < num_variables_; ++v) {
    if (graph.num_states(v) < 1) refuse(i, fmt::format("has no state for variable {}", v));
    add_variable(graph, v);
  }
  for (Index c = 0; c < graph.num_factors(); ++c) add_factor(graph, c, i);
  find_cycles();
  find_slots();
}

void GraphLayout::add_variable(const FactorGraph& graph, Index v) {
  Region region;
  region.record = record_size_;
  region.size = graph.num_states(v);
  add_parts(graph.parts_of_variable(v), region);
  record_size_ += 4 * region.size;
  num_states_ += region.size;
  regions_.push_back(region);
}

void GraphLayout::add_factor(const FactorGraph& graph, Index c, Index i) {
  const std::span<const Index> scope = graph.scope(c);
  if (scope.size() < 2) {
    refuse(i, fmt::format("has factor {} over {} variables; two is the least", c, scope.size()));
  }
  Region region;
  region.record = record_size_;
  region.size = std::ssize(graph.parts_of_factor(c));
  region.first_axis = std::ssize(axes_);
  region.num_axes = std::ssize(scope);
  Index stride = region.size;
  for (const Index v : scope) {
    const bool is_new = std::none_of(axes_.begin() + region.first_axis, axes_.end(),
                                     [v](const Axis& axis) { return axis.variable == v; });
    if (v < 0 || v >= num_variables_ || !is_new) {
      refuse(i, fmt::format("has factor {} over variable {}, which it has already or is none of {}",
                            c, v, num_variables_));
    }
    Region& variable = regions_[static_cast<std::size_t>(v)];
    variable.degree += 1.0;
    if (stride % variable.size != 0) stride = 0;
    stride /= variable.size;
    axes_.push_back({v, variable.size, stride, region.axis_states});
    region.axis_states += variable.size;
  }
  if (stride != 1) {
    refuse(i, fmt::format("has {} joint states for factor {}; the product of its variables' states "
                          "is expected",
                          region.size, c));
  }
  add_parts(graph.parts_of_factor(c), region);
  record_size_ += region.size + 2 * region.axis_states;
  num_messages_ += region.axis_states;
  regions_.push_back(region);
}

void GraphLayout::add_parts(std::span<const Index> parts, Region& region) {
  region.first_id = std::ssize(part_ids_);
  region.first_at = std::ssize(part_at_);
  std::vector<Index> sorted(parts.begin(), parts.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), Index{0});
  part_ids_.insert(part_ids_.end(), first, sorted.end());
  if (first != sorted.end()) end_part_ = std::max(end_part_, sorted.back() + 1);
  region.num_ids = std::ssize(part_ids_) - region.first_id;
  for (const Index part : parts) {
    const auto at = std::lower_bound(first, sorted.end(), part) - first;
    part_at_.push_back(static_cast<std::int32_t>(part < 0 ? region.num_ids : at));
  }
}

/// Joins the variables of every factor; to join what is joined already closes a cycle.
void GraphLayout::find_cycles() {
  std::vector<Index> parent(static_cast<std::size_t>(num_variables_));
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&parent](Index v) {
    for (; parent[static_cast<std::size_t>(v)] != v; v = parent[static_cast<std::size_t>(v)]) {
      Index& up = parent[static_cast<std::size_t>(v)];
      up = parent[static_cast<std::size_t>(up)];
    }
    return v;
  };
  for (const Region& region : regions_) {
    const std::span<const Axis> scope = axes(region);
    for (std::size_t k = 1; k < scope.size(); ++k) {
      const Index a = root(scope[0].variable);
      const Index b = root(scope[k].variable);
      if (a == b) is_forest_ = false;
      parent[static_cast<std::size_t>(b)] = a;
    }
  }
}

void GraphLayout::find_slots() {
  slots_.reserve(part_at_.size());
  for (const Region& region : regions_) {
    has_single_parts_ = has_single_parts_ && region.num_ids <= 1;
    const std::span<const Index> own = ids(region);
    for (const std::int32_t at : part_at(region)) {
      const Index part = at < region.num_ids ? own[static_cast<std::size_t>(at)] : end_part_;
      slots_.push_back(static_cast<std::int32_t>(part));
    }
  }
}

Index GraphLayout::state_at(Index a, std::span<const std::int32_t> assignment) const {
  const Region& region = regions_[static_cast<std::size_t>(a)];
  if (!region.is_factor()) return assignment[static_cast<std::size_t>(a)];
  Index state = 0;
  for (const Axis& axis : axes(region)) {
    state += axis.stride * assignment[static_cast<std::size_t>(axis.variable)];
  }
  return state;
}

}  // namespace gapwise::internal
