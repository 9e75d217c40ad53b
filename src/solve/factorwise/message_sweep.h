#pragma once

#include <span>
#include <vector>

#include "solve/factorwise/beliefs.h"

namespace gapwise::internal {

/// Makes the messages of a block better at fixed weights, [GJ07] MPLP: for one factor c after the
/// other, the best messages while those of all other factors stand still. With t_v = theta_v +
/// cost + sum over the other factors of their messages to v,
///   delta_cv(s) = -t_v(s) + 1/|c| max over y with y_v = s of [theta_c(y) + sum_u t_u(y_u)].
/// The bound sum_v max + sum_c max of docs/design/factorwise.md never grows. Messages are the
/// multipliers of the block; its beliefs play no part. Owns scratch.
class MessageSweep {
 public:
  /// A sweep over all factors. `theta` has the scores of all parts and a 0 behind them.
  void tighten(std::span<const double> theta, const BlockBeliefs& block);

 private:
  void tighten(std::span<const double> theta, const BlockBeliefs& block, const Region& factor);
  std::span<double> own(const Region& variable) {
    return {own_.data() + variable.record, static_cast<std::size_t>(variable.size)};
  }

  std::vector<double> own_;    ///< by record of a variable: theta + cost + all messages to it
  std::vector<double> table_;  ///< of a factor
  std::vector<double> best_;   ///< of an axis, by state
};

}  // namespace gapwise::internal
