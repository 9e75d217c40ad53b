#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "infer/graph/elimination.h"

namespace gapwise::internal {

/// What decoders know of a graph before there are scores. Immutable, hence shared by threads.
class GraphPlan {
 public:
  /// More cells than this are too many to look at in one decode.
  static constexpr Index kMostCells = Index{1} << 20;

  /// The graph outlives the plan.
  explicit GraphPlan(const FactorGraph& graph);

  const FactorGraph& graph() const { return graph_; }
  /// The factors that variable v is in, ascending.
  std::span<const Index> factors_of(Index v) const { return own(factors_, v); }
  /// No way leads from a factor over variables and other factors back to it: the local polytope has
  /// no vertices but assignments.
  bool is_forest() const { return is_forest_; }
  /// All variables have two states, all factors two variables.
  bool is_binary_pairs() const { return is_binary_pairs_; }
  /// Of such a graph: who variable v meets, and in which factor.
  struct Neighbour {
    std::uint32_t variable;
    std::uint32_t factor;
  };
  std::span<const Neighbour> neighbours_of(Index v) const { return own(neighbours_, v); }
  /// Joint states that stand for a part, factor by factor. All others score nothing.
  struct ScoredJoint {
    std::uint32_t factor;
    std::uint32_t place;  ///< in its table
    Index part;
  };
  std::span<const ScoredJoint> scored_joints() const { return scored_joints_; }
  /// The exact way to the best assignment; is_complete() if it is not too long.
  const Elimination& elimination() const { return elimination_; }

 private:
  /// What belongs to variable v, an entry for each factor it is in.
  template <class T>
  std::span<const T> own(const std::vector<T>& of, Index v) const {
    const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(v)]);
    const auto end = static_cast<std::size_t>(starts_[static_cast<std::size_t>(v) + 1]);
    return std::span(of).subspan(begin, end - begin);
  }
  void list_neighbours();
  void list_scored_joints();

  const FactorGraph& graph_;
  std::vector<Index> starts_;
  std::vector<Index> factors_;
  std::vector<Neighbour> neighbours_;
  std::vector<ScoredJoint> scored_joints_;
  bool is_forest_ = true;
  bool is_binary_pairs_ = true;
  Elimination elimination_;
};

/// The plans of the graphs of all blocks, one for those that share a graph.
class GraphPlans {
 public:
  /// Blocks 0..n-1 of `graphs`, which outlive the plans.
  GraphPlans(const FactorGraphs& graphs, Index n);
  const GraphPlan& operator[](Index i) const { return *plans_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<std::shared_ptr<const GraphPlan>> plans_;
};

}  // namespace gapwise::internal
