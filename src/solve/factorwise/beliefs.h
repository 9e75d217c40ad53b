#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "gapwise/problem.h"
#include "solve/dual_state.h"
#include "solve/factorwise/graph_layout.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// The beliefs of one block and what is kept with them, as Region lays it out. A handle: copies
/// speak of the same numbers.
class BlockBeliefs {
 public:
  BlockBeliefs(const GraphLayout& layout, double* record) : layout_(&layout), record_(record) {}

  const GraphLayout& layout() const { return *layout_; }
  /// All numbers.
  std::span<const double> record() const {
    return {record_, static_cast<std::size_t>(layout_->record_size())};
  }

  /// mu_a.
  std::span<double> beliefs(const Region& region) const { return part(region, 0, region.size); }
  /// Of a variable: Q_v = sum over its factors of the marginals of mu_c.
  std::span<double> sums(const Region& variable) const {
    return part(variable, variable.size, variable.size);
  }
  /// Of a variable: the sum over its factors of the multipliers.
  std::span<double> multiplier_sums(const Region& variable) const {
    return part(variable, 2 * variable.size, variable.size);
  }
  /// Of a variable: what its states cost.
  std::span<double> costs(const Region& variable) const {
    return part(variable, 3 * variable.size, variable.size);
  }
  /// Of a factor: the marginals of mu_c on one axis.
  std::span<double> marginals(const Region& factor, const Axis& axis) const {
    return part(factor, factor.size + axis.at, axis.size);
  }
  /// Of a factor: the multipliers of one axis.
  std::span<double> multipliers(const Region& factor, const Axis& axis) const {
    return part(factor, factor.size + factor.axis_states + axis.at, axis.size);
  }
  std::span<double> beliefs_of_variable(const Axis& axis) const {
    return beliefs(layout_->region(axis.variable));
  }
  std::span<double> sums_of_variable(const Axis& axis) const {
    return sums(layout_->region(axis.variable));
  }

  /// Calls visit(factor, axis) for all axes of all factors.
  template <class Visit>
  void for_each_axis(Visit visit) const {
    for (const Region& region : layout_->regions()) {
      for (const Axis& axis : layout_->axes(region)) visit(region, axis);
    }
  }

  /// |r|^2, where r = marginals of mu_c - mu_v for all axes.
  double squared_residual() const;
  /// <multipliers, r>.
  double multiplied_residual() const;
  /// multipliers += step * r.
  void raise_multipliers(double step) const;
  /// The sums of multipliers of all variables anew.
  void add_up_multipliers() const;
  /// Marginals and sums anew from beliefs and multipliers, which removes the drift of many steps.
  void rebuild() const;

 private:
  std::span<double> part(const Region& region, Index from, Index size) const {
    return {record_ + region.record + from, static_cast<std::size_t>(size)};
  }

  const GraphLayout* layout_;
  double* record_;
};

/// The marginals of a table on one axis, added to `out`.
void add_marginals(std::span<const double> table, const Axis& axis, std::span<double> out);
/// The largest entry of a table for each state of an axis.
void find_max_marginals(std::span<const double> table, const Axis& axis, std::span<double> out);
/// table(y) += scale * message(y on this axis).
void add_message(std::span<const double> message, double scale, const Axis& axis,
                 std::span<double> table);

/// The beliefs of all blocks; at first every region is sure of its true state.
class Beliefs {
 public:
  /// OracleError if a graph, a truth or a cost is none.
  explicit Beliefs(const Problem& problem);

  Index num_blocks() const { return std::ssize(blocks_); }
  BlockBeliefs operator[](Index i) const { return blocks_[static_cast<std::size_t>(i)]; }
  /// The true state of region a of block i.
  Index truth(Index i, Index a) const { return (*this)[i].layout().state_at(a, graphs_.truth(i)); }
  /// What block i adds up to if its regions believed beliefs_of(region); `by_part` is scratch.
  template <class BeliefsOf>
  void describe(Index i, BeliefsOf beliefs_of, std::vector<double>& by_part, BlockState& out) const;

  /// No graph has a cycle.
  bool is_forest() const { return is_forest_; }
  /// Axes of all blocks, by state.
  Index num_messages() const { return num_messages_; }

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  static constexpr double kMostDrift = 1e-6;  ///< of a sum of beliefs from 1

  void begin_at_truth(Index i);

  const FactorGraphs& graphs_;
  std::map<const FactorGraph*, GraphLayout> layouts_;
  std::vector<double> records_;
  std::vector<BlockBeliefs> blocks_;
  Index num_messages_ = 0;
  bool is_forest_ = true;
};

template <class BeliefsOf>
void Beliefs::describe(Index i, BeliefsOf beliefs_of, std::vector<double>& by_part,
                       BlockState& out) const {
  const BlockBeliefs block = (*this)[i];
  const GraphLayout& layout = block.layout();
  by_part.assign(static_cast<std::size_t>(layout.end_part()), 0.0);
  out.loss = 0.0;
  for (Index a = 0; a < std::ssize(layout.regions()); ++a) {
    const Region& region = layout.region(a);
    const std::span<const double> beliefs = beliefs_of(region);
    const std::span<const Index> ids = layout.ids(region);
    const std::span<const std::int32_t> at = layout.part_at(region);
    const auto add = [&](std::size_t state, double value) {
      if (at[state] < region.num_ids) {
        by_part[static_cast<std::size_t>(ids[static_cast<std::size_t>(at[state])])] += value;
      }
    };
    for (std::size_t s = 0; s < beliefs.size(); ++s) add(s, beliefs[s]);
    add(static_cast<std::size_t>(truth(i, a)), -1.0);
    if (region.is_factor()) continue;
    const std::span<const double> costs = block.costs(region);
    for (std::size_t s = 0; s < beliefs.size(); ++s) out.loss += beliefs[s] * costs[s];
  }
  out.parts.assign_negative(by_part);
}

}  // namespace gapwise::internal
