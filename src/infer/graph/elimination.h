#pragma once

#include <vector>

#include "infer/graph/scores.h"

namespace gapwise::internal {

/// The best assignment of a factor graph by taking its variables out one by one: what is best for a
/// variable is told for each joint state of the variables it meets. On trees this is max-product;
/// it takes as many cells as the largest set of variables that meet in one has joint states. The
/// order, the cheapest variable first, is found once for each graph. Immutable, hence shared by
/// threads.
class Elimination {
 public:
  /// Gives up if it would take more than `most_cells`.
  Elimination(const FactorGraph& graph, Index most_cells);

  /// Whether it did not give up.
  bool is_complete() const { return is_complete_; }
  Index num_cells() const { return num_cells_; }  ///< that one run looks at

  /// What a run writes to; used again and again.
  struct Scratch {
    std::vector<double> sums;
    std::vector<double> messages;
    std::vector<std::int32_t> best;
    std::vector<Index> digits;
  };
  /// Writes a best assignment. Of several, each variable has the first state that is best for those
  /// taken out after it.
  void maximize(const GraphScores& scores, Scratch& scratch, Assignment out) const;

 private:
  /// A factor or an earlier message as seen from the cells of a step.
  struct Input {
    bool is_factor = true;
    Index begin = 0;             ///< of its values, among the joint states or messages
    std::vector<Index> strides;  ///< for each of the step's others, then for its variable
  };
  struct Step {
    Index variable = 0;
    std::vector<Index> others;  ///< that it meets, ascending; the last moves fastest
    Index cells = 1;            ///< joint states of the others
    Index begin = 0;            ///< of the message
    std::vector<Input> inputs;
  };
  class Builder;

  void sum_inputs(const Step& step, const GraphScores& scores, Scratch& scratch) const;

  std::vector<Index> num_states_;
  std::vector<Step> steps_;
  Index num_cells_ = 0;
  Index num_messages_ = 0;
  bool is_complete_ = false;
};

}  // namespace gapwise::internal
