#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise {

/// Variables with a few states each, and factors: tables over the joint states of some variables.
/// The score of an assignment is the sum of the scores of the states and joint states it consists
/// of. Each of them stands for at most one part of the block; several may stand for the same one.
/// Blocks of the same shape may share a graph.
struct FactorGraph {
  /// No part: a state that always scores 0.
  static constexpr Index kNoPart = -1;

  std::vector<Index> state_starts{0};  ///< states of variable v: state_starts[v] ..  [v + 1]
  std::vector<Index> state_parts;      ///< the part of each state, or kNoPart
  std::vector<Index> scope_starts{0};  ///< scope of factor c: scope_starts[c] .. [c + 1]
  std::vector<Index> scopes;           ///< different variables, two or more for each factor
  std::vector<Index> table_starts{0};  ///< joint states of factor c: table_starts[c] .. [c + 1]
  /// The part of each joint state, or kNoPart. The last variable of the scope moves fastest.
  std::vector<Index> table_parts;

  /// How many variables there are.
  Index num_variables() const { return static_cast<Index>(state_starts.size()) - 1; }
  /// How many factors there are.
  Index num_factors() const { return static_cast<Index>(scope_starts.size()) - 1; }
  /// How many states variable v has.
  Index num_states(Index v) const { return at(state_starts, v + 1) - at(state_starts, v); }
  /// The parts of the states of variable v.
  std::span<const Index> parts_of_variable(Index v) const {
    return range(state_parts, state_starts, v);
  }
  /// The variables of factor c.
  std::span<const Index> scope(Index c) const { return range(scopes, scope_starts, c); }
  /// The parts of the joint states of factor c.
  std::span<const Index> parts_of_factor(Index c) const {
    return range(table_parts, table_starts, c);
  }

 private:
  static Index at(const std::vector<Index>& of, Index k) { return of[static_cast<std::size_t>(k)]; }
  static std::span<const Index> range(const std::vector<Index>& of,
                                      const std::vector<Index>& starts, Index k) {
    return {of.data() + at(starts, k), static_cast<std::size_t>(at(starts, k + 1) - at(starts, k))};
  }
};

/// The factor graphs behind the blocks of a problem, for solvers that step from one variable or
/// factor to the next and never ask for a whole output. Every output of block i is an assignment of
/// its graph: m_r(y) is how many of its states and joint states stand for part r, and L_i(y) is the
/// sum of the costs of its states.
class FactorGraphs {
 public:
  virtual ~FactorGraphs() = default;

  virtual const FactorGraph& graph(Index i) const = 0;             ///< of block i
  virtual std::span<const std::int32_t> truth(Index i) const = 0;  ///< a state per variable
  /// What state s of variable v costs in block i: >= 0, and 0 for the true one.
  virtual double cost(Index i, Index v, Index s) const = 0;
};

}  // namespace gapwise
