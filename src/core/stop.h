#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace gapwise::internal {

/// Thrown out of work that is given up because somebody wants an end or because the time is over.
/// Nothing is wrong, so it is no Error; whoever sets the condition catches it.
struct GivenUp {};

/// When work that takes long is given up: once `earliest` has passed, as soon as the flag is raised
/// or the deadline is over.
struct StopCondition {
  using Clock = std::chrono::steady_clock;

  const std::atomic<bool>* flag = nullptr;  ///< raised by another thread or by a signal handler
  Clock::time_point deadline = Clock::time_point::max();
  Clock::time_point earliest = Clock::time_point::min();

  bool is_met() const;
};

/// This many seconds from now; never, if they are too many to count.
StopCondition::Clock::time_point seconds_from_now(double seconds);

/// While one of these lives, work on this thread, and on threads that run chunks of it (Threads),
/// may be given up under its condition. Null: under none. The innermost one counts.
class StopScope {
 public:
  explicit StopScope(const StopCondition* condition);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// The condition of this thread, to be handed on to another; null if there is none.
  static const StopCondition* current();

 private:
  const StopCondition* outer_;
};

/// Throws GivenUp if the condition of this thread is met. Between two pieces of work that take at
/// least a microsecond or so; only where what is left behind may be thrown away.
void give_up_if_asked();

/// The same inside a decoder, where pieces are smaller: looks about once a millisecond.
class StopPoll {
 public:
  /// After so many additions or the like.
  void spend(std::size_t work) {
    spent_ += work;
    if (spent_ >= kWorkBetweenLooks) look();
  }

 private:
  static constexpr std::size_t kWorkBetweenLooks = std::size_t{1} << 21;

  void look();

  std::size_t spent_ = 0;
};

}  // namespace gapwise::internal
