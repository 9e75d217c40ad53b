#pragma once

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
  /// The plan says is_binary_pairs().
  GraphResult run(const GraphPlan& plan, const GraphScores& scores, Beliefs& out);

 private:
  void load(const GraphScores& scores);
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
