#pragma once

#include <vector>

#include "infer/flow_network.h"
#include "infer/pair_problem.h"

namespace gapwise::internal {

/// The linear relaxation of a set problem, solved by one maximum flow [BH02, KR07]: an upper bound
/// of what any set scores, and labels that are the same in every best set. Without repulsive pairs
/// it decides all labels.
class RoofDual {
 public:
  void run(const PairProblem& problem);

  double upper_bound() const { return upper_bound_; }
  const std::vector<PairProblem::Decision>& decisions() const { return decisions_; }

 private:
  void run_attractive(const PairProblem& problem);
  void run_general(const PairProblem& problem);
  /// An arc of the network to be run.
  void add_arc(std::size_t from, std::size_t to, double capacity);
  double run_flow(std::size_t vertices, std::size_t source, std::size_t sink);

  double upper_bound_ = 0.0;
  std::vector<PairProblem::Decision> decisions_;
  std::vector<double> costs_;
  std::vector<FlowLink> arcs_;
  std::vector<double> capacities_;
  MaxFlow flow_;
};

}  // namespace gapwise::internal
