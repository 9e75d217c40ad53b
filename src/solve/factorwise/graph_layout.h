#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gapwise/factor_graph.h"

namespace gapwise::internal {

/// Where a factor meets one of its variables.
struct Axis {
  Index variable;  ///< region
  Index size;      ///< states of the variable
  Index stride;    ///< from a joint state to that of the next state of this variable
  Index at;        ///< the first state of this axis among those of all axes of the factor
};

/// The state of a joint state on one axis.
inline std::size_t on_axis(std::size_t joint, const Axis& axis) {
  return joint / static_cast<std::size_t>(axis.stride) % static_cast<std::size_t>(axis.size);
}

/// A variable or a factor: what is updated at once. Its beliefs, with all that a step needs beside
/// them, lie next to each other in a record of doubles:
///   variable   beliefs mu_v | sums Q_v | sums of multipliers | costs, each by state
///   factor     beliefs mu_c by joint state | marginals of mu_c | multipliers, both by axis and
///   state
struct Region {
  Index record = 0;       ///< where its record begins in that of the block
  Index size = 0;         ///< states or joint states
  Index first_id = 0;     ///< of its parts, in part_ids
  Index num_ids = 0;      ///< different parts
  Index first_at = 0;     ///< of its states, in part_at
  Index first_axis = 0;   ///< of a factor, in axes
  Index num_axes = 0;     ///< 0: a variable
  Index axis_states = 0;  ///< of a factor: states of all axes
  double degree = 0.0;    ///< of a variable: factors that contain it

  bool is_factor() const { return num_axes > 0; }
};

/// A factor graph made ready for steps from one region to the next: variables come first, then
/// factors. Nothing in it depends on weights, so blocks of the same graph share it.
class GraphLayout {
 public:
  /// OracleError, which names block i, if the graph is none.
  GraphLayout(const FactorGraph& graph, Index i);

  Index num_variables() const { return num_variables_; }
  std::span<const Region> regions() const { return regions_; }
  const Region& region(Index a) const { return regions_[static_cast<std::size_t>(a)]; }
  std::span<const Axis> axes(const Region& region) const {
    return std::span(axes_).subspan(static_cast<std::size_t>(region.first_axis),
                                    static_cast<std::size_t>(region.num_axes));
  }
  /// The different parts of a region, ascending.
  std::span<const Index> ids(const Region& region) const {
    return std::span(part_ids_).subspan(static_cast<std::size_t>(region.first_id),
                                        static_cast<std::size_t>(region.num_ids));
  }
  /// For each state its place in ids(), or num_ids where it has no part.
  std::span<const std::int32_t> part_at(const Region& region) const {
    return std::span(part_at_).subspan(static_cast<std::size_t>(region.first_at),
                                       static_cast<std::size_t>(region.size));
  }

  /// For each state its part, or end_part() where it has none: places in scores of all parts that
  /// have a 0 behind the last one.
  std::span<const std::int32_t> slots(const Region& region) const {
    return std::span(slots_).subspan(static_cast<std::size_t>(region.first_at),
                                     static_cast<std::size_t>(region.size));
  }

  Index record_size() const { return record_size_; }    ///< doubles of a block
  Index num_states() const { return num_states_; }      ///< of all variables
  Index num_messages() const { return num_messages_; }  ///< states of all axes
  Index end_part() const { return end_part_; }          ///< behind the last part
  /// No cycles: the local polytope is the marginal polytope, and nothing is relaxed.
  bool is_forest() const { return is_forest_; }
  /// No region has more than one part.
  bool has_single_parts() const { return has_single_parts_; }

  /// The joint state of a factor at an assignment of all variables, or the state of a variable.
  Index state_at(Index a, std::span<const std::int32_t> assignment) const;

 private:
  void add_variable(const FactorGraph& graph, Index v);
  void add_factor(const FactorGraph& graph, Index c, Index i);
  void add_parts(std::span<const Index> parts, Region& region);
  void find_cycles();
  void find_slots();

  Index num_variables_ = 0;
  std::vector<Region> regions_;
  std::vector<Axis> axes_;
  std::vector<Index> part_ids_;
  std::vector<std::int32_t> part_at_;
  std::vector<std::int32_t> slots_;
  Index record_size_ = 0;
  Index num_states_ = 0;
  Index num_messages_ = 0;
  Index end_part_ = 0;
  bool is_forest_ = true;
  bool has_single_parts_ = true;
};

}  // namespace gapwise::internal
