#pragma once

#include <span>
#include <vector>

#include "infer/graph/plan.h"
#include "infer/roof_dual.h"

namespace gapwise::internal {

/// The linear relaxation of graphs of pairs of binary variables: a best vertex of the local
/// polytope, whose beliefs are 0, one half or 1, by one maximum flow [BH02]. Variables whose own
/// score outweighs all their pairs are decided before, which mostly leaves a small network. Owns
/// scratch memory.
class PairRelaxation {
 public:
  // The plan says is_binary_pairs().

  GraphResult run(const GraphPlan& plan, const GraphScores& scores, Beliefs& out);

  /// The same without tables, which are large and mostly nothing: joint states score what their
  /// parts do. Beliefs can be asked for afterwards.
  void solve(const GraphPlan& plan, std::span<const double> states,
             std::span<const double> part_scores);
  /// That variable v is on.
  double belief(std::size_t v) const {
    return decisions_[v] == Decision::kOpen ? 0.5 : decisions_[v] == Decision::kOn ? 1.0 : 0.0;
  }
  /// Of the joint state at `place` of the table of factor c.
  double joint_belief(const FactorGraph& graph, std::size_t c, std::size_t place) const;

 private:
  void load(const GraphScores& scores);
  void load(const GraphPlan& plan, std::span<const double> states,
            std::span<const double> part_scores);
  void load_singles(std::span<const double> states);
  void bound_singles(const FactorGraph& graph);
  void decide_all(const GraphPlan& plan);
  void decide_plain(const GraphPlan& plan);
  bool decide(std::size_t v);
  void pass_on(const GraphPlan& plan, std::size_t v);
  void decide_rest(const FactorGraph& graph);
  void write(const GraphScores& scores, Beliefs& out) const;

  std::vector<double> singles_;  ///< what a variable adds that is on
  std::vector<double> pairs_;    ///< what a pair adds that both are
  std::vector<double> least_;    ///< what a variable adds at the least, whatever open ones are
  std::vector<double> most_;
  std::vector<Decision> decisions_;
  std::vector<std::size_t> waiting_;  ///< variables to be decided
  std::vector<std::uint32_t> numbers_;
  PairTerms terms_;
  RoofDual roof_;
};

}  // namespace gapwise::internal
