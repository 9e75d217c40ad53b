#include "core/stop.h"

namespace gapwise::internal {
namespace {

// What a thread works under is a property of the thread: decoders are called through interfaces of
// users' problems, which know nothing of it.
thread_local const StopCondition* condition_of_thread = nullptr;

}  // namespace

bool StopCondition::is_met() const {
  const bool is_raised = flag != nullptr && flag->load(std::memory_order_relaxed);
  if (!is_raised && deadline == Clock::time_point::max()) return false;
  const Clock::time_point now = Clock::now();
  return now >= earliest && (is_raised || now >= deadline);
}

StopCondition::Clock::time_point seconds_from_now(double seconds) {
  using Clock = StopCondition::Clock;
  constexpr double kLongest = 1e9;  // three decades
  if (!(seconds < kLongest)) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

StopScope::StopScope(const StopCondition* condition) : outer_(condition_of_thread) {
  condition_of_thread = condition;
}

StopScope::~StopScope() {
  condition_of_thread = outer_;
}

const StopCondition* StopScope::current() {
  return condition_of_thread;
}

void give_up_if_asked() {
  if (condition_of_thread != nullptr && condition_of_thread->is_met()) throw GivenUp();
}

void StopPoll::look() {
  spent_ = 0;
  give_up_if_asked();
}

}  // namespace gapwise::internal
