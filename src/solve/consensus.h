#pragma once

#include <chrono>
#include <optional>

#include "core/ranks.h"
#include "gapwise/progress.h"

namespace gapwise::internal {

/// What one rank would like before a step.
struct RankWish {
  std::optional<StopReason> reason;  ///< to end the run
  bool wants_point = false;          ///< rank 0: the step may be given up, so keep a restore point
};

/// Where a run stands; equal on all ranks, or something is wrong.
struct Standing {
  Index steps;
  Index passes;
  Index oracle_calls;
  double dual;
};

/// How the ranks of a job, each of which makes the same run, decide the same about what does not
/// follow from data and options: clock, signals, and work that is given up. They meet before some
/// steps, often enough that nobody waits long and seldom enough that it costs nothing. A run that
/// is alone decides by itself.
class Consensus {
 public:
  explicit Consensus(Ranks* ranks) : ranks_(ranks) {}

  bool is_alone() const { return ranks_ == nullptr; }
  bool leads() const { return is_alone() || ranks_->leads(); }

  /// Whether the ranks meet before this step; to be asked before every one, with the calls of the
  /// oracle so far.
  bool is_due(Index calls) { return ++steps_ >= most_.steps || calls - calls_met_ >= most_.calls; }
  /// The meeting: why the run ends here, if it does.
  std::optional<StopReason> decide(const RankWish& wish, const Standing& standing);
  /// Whether all keep a restore point before this step.
  bool keeps_point();

  /// Yes or no by rank 0.
  bool verdict(bool mine);
  /// To be called where GivenUp is caught.
  void settle_given_up() {
    if (!is_alone()) ranks_->settle_given_up();
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// What lies between two meetings at the most; steps with and without the oracle take very
  /// different times.
  struct Spacing {
    Index steps = 1;
    Index calls = 1;
  };

  void adapt(const Standing& standing);

  Ranks* ranks_;
  Spacing most_;
  Index steps_ = 0;  ///< since the last meeting
  Index calls_met_ = 0;
  bool keeps_point_ = false;
  Clock::time_point met_at_ = Clock::now();
};

}  // namespace gapwise::internal
