#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "core/stop.h"
#include "gapwise/types.h"

namespace gapwise::internal {

/// The state of a run between two steps, to go back to when a later step is given up. Kept while
/// steps may take long: in the first pass, when that is not known, and from the first pass on that
/// does. A run with short passes pays some memory and looks at the clock in the first one.
class RestorePoint {
 public:
  using Clock = StopCondition::Clock;

  bool is_kept() const { return !state_.empty(); }
  const std::string& state() const { return state_; }
  Index count() const { return count_; }  ///< of the points so far

  /// Whether it is time for a new one, `patience` seconds being what a step takes that is long.
  /// Without patience there is one before every step.
  bool is_due(double patience, Index passes) const {
    if (passes > 0 && longest_pass_ < patience) return false;
    if (!is_kept() || patience <= 0.0) return true;
    return seconds(Clock::now() - kept_at_) >= std::max(patience, kSpacing * cost_);
  }

  /// A state that took from `began` to `ended` to write down.
  void keep(std::string state, Clock::time_point began, Clock::time_point ended) {
    state_ = std::move(state);
    cost_ = seconds(ended - began);
    kept_at_ = ended;
    ++count_;
  }

  /// How long a pass took, or would take. A point that only the first one needed goes away.
  void pass_took(double seconds, double patience) {
    longest_pass_ = std::max(longest_pass_, seconds);
    if (longest_pass_ < patience) std::string().swap(state_);
  }

 private:
  static constexpr double kSpacing = 30.0;  ///< points may take a thirtieth of the time

  static double seconds(Clock::duration span) {
    return std::chrono::duration<double>(span).count();
  }

  std::string state_;
  Index count_ = 0;
  double cost_ = 0.0;  ///< seconds that the last one took
  Clock::time_point kept_at_;
  double longest_pass_ = 0.0;
};

}  // namespace gapwise::internal
