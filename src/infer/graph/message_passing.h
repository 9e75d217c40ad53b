#pragma once

#include <span>
#include <vector>

#include "infer/graph/plan.h"

namespace gapwise::internal {

/// The bound of the linear relaxation by messages instead of vertices, [GJ07] MPLP: for one factor
/// after the other, the best messages while those of all others stand still. It takes time in
/// proportion to the tables, where the simplex method takes far more, and may stop above the
/// relaxation. Owns scratch memory.
class MessagePassing {
 public:
  /// Forgets the messages of earlier scores.
  void start(const GraphPlan& plan, const GraphScores& scores);
  /// Passes over all factors, there and back. The bound that no assignment exceeds; it never grows
  /// but for rounding.
  double sweep(const GraphPlan& plan, const GraphScores& scores);
  /// What the messages say of each state of each variable, in the order of the graph.
  std::span<const double> states() const { return own_; }

 private:
  void tighten(const GraphPlan& plan, const GraphScores& scores, Index c);
  double bound(const GraphPlan& plan, const GraphScores& scores);
  std::span<double> states_of(const FactorGraph& graph, Index v) {
    const Index begin = graph.state_starts[static_cast<std::size_t>(v)];
    return std::span(own_).subspan(static_cast<std::size_t>(begin),
                                   static_cast<std::size_t>(graph.num_states(v)));
  }

  std::vector<double> own_;                  ///< of each state: its score and all messages to it
  std::vector<double> messages_;             ///< factor by factor, axis by axis
  std::vector<std::size_t> message_starts_;  ///< of each factor
  std::vector<double> table_;                ///< of a factor, with messages
  std::vector<double> best_;                 ///< of an axis, by state
};

}  // namespace gapwise::internal
