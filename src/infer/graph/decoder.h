#pragma once

#include <vector>

#include "infer/graph/linear_relaxation.h"
#include "infer/graph/message_passing.h"
#include "infer/graph/pair_relaxation.h"

namespace gapwise::internal {

/// Finds the best assignment of a factor graph, or the best point of its relaxation. Owns scratch
/// memory; one per thread.
class GraphDecoder {
 public:
  /// For more joint states the simplex method is left out: its time grows faster than the tables.
  static constexpr Index kMostSimplexCells = Index{1} << 14;

  /// Writes a good assignment. It is exact
  ///   - if the elimination of the plan is complete: trees, and graphs of small width,
  ///   - if the relaxation is tight: among others pairs of binary variables that attract each
  ///     other.
  /// Otherwise it is the better of two rounded points, improved until no change of one variable
  /// helps, and the bound is that of the relaxation. Graphs of more than kMostSimplexCells joint
  /// states, if they are no binary pairs, are bounded and rounded by messages, which are exact
  /// where they prove it. `basis` is what earlier calls for the same graph left.
  GraphResult maximize(const GraphPlan& plan, const GraphScores& scores, LinearBasis& basis,
                       Assignment out);

  /// Writes the best beliefs of the local polytope: of trees by elimination, of pairs of binary
  /// variables by a maximum flow, of all others by the simplex method.
  GraphResult relax(const GraphPlan& plan, const GraphScores& scores, LinearBasis& basis,
                    Beliefs& out);

 private:
  /// The best assignment that messages lead to, and their bound.
  GraphResult pass_messages(const GraphPlan& plan, const GraphScores& scores, Assignment out);
  /// Changes one variable at a time for the better; the score at the end.
  double climb(const GraphPlan& plan, const GraphScores& scores, Assignment out);
  void add_neighbours(const GraphPlan& plan, const GraphScores& scores,
                      std::span<const std::int32_t> assignment, Index v);

  Elimination::Scratch elimination_;
  PairRelaxation pairs_;
  LinearRelaxation linear_;
  MessagePassing messages_;
  Beliefs beliefs_;
  std::vector<std::int32_t> assignment_;
  std::vector<double> sums_;
};

}  // namespace gapwise::internal
