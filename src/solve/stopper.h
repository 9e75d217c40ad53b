#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "gapwise/progress.h"
#include "gapwise/train.h"
#include "gapwise/train_options.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// Notices when a run gets nowhere: the dual has reached its last digit (near the optimum its gain
/// is of the order of the squared gap, so that alone says little) and the gap has not become
/// smaller for several gap passes in a row either.
class StallWatch {
 public:
  void measured(double dual, double gap) {
    const bool gains = !has_measured_ || dual - dual_ > kNoGain * std::abs(dual);
    const bool shrinks = !has_measured_ || gap < least_gap_;
    idle_ = gains || shrinks ? 0 : idle_ + 1;
    dual_ = dual;
    least_gap_ = has_measured_ ? std::min(least_gap_, gap) : gap;
    has_measured_ = true;
  }
  bool is_stalled() const { return idle_ >= kPatience; }

  void save(StateWriter& out) const {
    out.flag(has_measured_);
    out.count(idle_);
    out.f64(dual_);
    out.f64(least_gap_);
  }
  void load(StateReader& in) {
    has_measured_ = in.flag();
    idle_ = in.count();
    dual_ = in.number();
    least_gap_ = in.number();
  }

 private:
  static constexpr double kNoGain = 1e-15;  ///< relative
  static constexpr Index kPatience = 5;     ///< gap passes

  bool has_measured_ = false;
  Index idle_ = 0;
  double dual_ = 0.0;
  double least_gap_ = 0.0;
};

/// A budget of `max_seconds` ends with the last step. What follows it (the gap pass that certifies
/// the result, a test, the training loss) may end this late; what does not is left out.
inline double most_seconds(double max_seconds) {
  return max_seconds + std::max(1.0, 0.1 * max_seconds);
}

/// Decides when a run is over and when a gap pass is due; the only place that does.
class Stopper {
 public:
  static constexpr double kPatience = 2.0;  ///< seconds that somebody who interrupts may wait

  explicit Stopper(const TrainOptions& options) : options_(options) {}

  /// Whether some budget may run out in the middle of a pass.
  bool has_budget_within_pass() const {
    return options_.max_seconds.has_value() || options_.max_oracle_calls.has_value();
  }

  /// Before a step. Budgets keep room for the gap pass that certifies the result, if it fits.
  std::optional<StopReason> before_step(const Progress& now, double gap_pass_seconds) const {
    if (now.passes >= options_.max_passes) return StopReason::kMaxPasses;
    if (options_.max_oracle_calls && now.oracle_calls >= calls_before_last_pass(now)) {
      return StopReason::kMaxOracleCalls;
    }
    if (options_.max_seconds && now.seconds >= *options_.max_seconds - reserve(gap_pass_seconds)) {
      return StopReason::kMaxSeconds;
    }
    return std::nullopt;
  }

  /// After a gap pass.
  std::optional<StopReason> after_measure(const Progress& now, const StallWatch& stall) const {
    if (!now.has_dual()) return std::nullopt;  // only a budget ends such a run
    if (reaches_target(*now.gap(), *now.primal)) {
      return now.is_certified ? StopReason::kConverged : StopReason::kStalled;
    }
    // Under fixed steps the dual may fall, and an average improves while the iterate stands still.
    const bool must_gain = solver_info(options_.solver).is_monotone &&
                           options_.step == Step::kLineSearch && options_.average == Average::kNone;
    if (must_gain && stall.is_stalled()) return StopReason::kStalled;
    return std::nullopt;
  }

  /// Whether a gap of this size would end the run.
  bool reaches_target(double gap, double primal) const {
    if (options_.gap && gap <= *options_.gap) return true;
    return relative_target() && gap <= *relative_target() * primal;
  }

  /// Whether a last gap pass after `reason` fits the budgets.
  bool may_measure_after(StopReason reason, const Progress& now, double gap_pass_seconds) const {
    if (reason == StopReason::kMaxOracleCalls) {
      return now.oracle_calls + now.n <= *options_.max_oracle_calls;
    }
    if (reason == StopReason::kMaxSeconds) return reserve(gap_pass_seconds) > 0.0;
    if (reason == StopReason::kInterrupted) return gap_pass_seconds <= kPatience;
    return true;
  }

 private:
  Index calls_before_last_pass(const Progress& now) const {
    const Index most = *options_.max_oracle_calls;
    return most >= 2 * now.n ? most - now.n : most;
  }
  double reserve(double gap_pass_seconds) const {
    return gap_pass_seconds <= 0.5 * *options_.max_seconds ? gap_pass_seconds : 0.0;
  }
  std::optional<double> relative_target() const {
    if (options_.relative_gap || options_.gap) return options_.relative_gap;
    return kDefaultRelativeGap;
  }
  static constexpr double kDefaultRelativeGap = 0.01;

  const TrainOptions& options_;
};

/// When to spend a gap pass: at the latest after `gap_every` passes, and as soon as the gap is
/// likely to be small enough. The sum of block gaps as last seen is free but stale, so it is
/// corrected by how far it was off at the last gap pass. Counts only, no clock.
class GapSchedule {
 public:
  explicit GapSchedule(Index gap_every) : gap_every_(gap_every) {}

  bool is_due(const Stopper& stopper, const Progress& now) const {
    if (now.passes - last_passes_ >= gap_every_) return true;
    const double likely = now.estimated_gap * correction_;
    if (!now.has_dual() || !std::isfinite(likely)) return false;
    return stopper.reaches_target(likely, now.dual + likely);
  }

  void measured(double gap, double estimate_before, Index passes) {
    last_passes_ = passes;
    if (estimate_before > 0.0 && gap > 0.0 && std::isfinite(gap) &&
        std::isfinite(estimate_before)) {
      correction_ = std::clamp(gap / estimate_before, kLeastCorrection, kMostCorrection);
    }
  }

  void save(StateWriter& out) const {
    out.count(last_passes_);
    out.f64(correction_);
  }
  /// After `passes` passes.
  void load(StateReader& in, Index passes) {
    last_passes_ = in.count_up_to(passes);
    correction_ = in.finite();
    in.require(correction_ >= kLeastCorrection && correction_ <= kMostCorrection,
               "a schedule that no run has");
  }

 private:
  static constexpr double kLeastCorrection = 0.1;
  static constexpr double kMostCorrection = 10.0;

  Index gap_every_;
  Index last_passes_ = 0;
  double correction_ = 1.25;  ///< cautious before anything is known
};

}  // namespace gapwise::internal
