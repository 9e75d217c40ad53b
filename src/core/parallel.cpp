#include "core/parallel.h"

#include <sched.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

#include "core/stop.h"

namespace gapwise::internal {

struct Threads::Arena {
  explicit Arena(int count) : arena(count) {}
  tbb::task_arena arena;
};

namespace {

/// Cores that this process may use, which may be fewer than the machine has.
int cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

Threads::Threads() : Threads(cores()) {}

// More threads than cores gain nothing and make the scheduler complain.
Threads::Threads(int count)
    : count_(count), arena_(std::make_unique<Arena>(std::min(count, cores()))) {}

Threads::~Threads() = default;

void Threads::run(Index n,
                  const std::function<void(Index begin, Index end, int slot)>& body) const {
  if (n <= 0) return;
  if (count_ == 1) {
    body(0, n, 0);
    return;
  }
  // Chunks small enough to even out blocks of different cost, large enough to cost nothing.
  const Index grain = std::max<Index>(1, n / (Index{16} * count_));
  const StopCondition* const condition = StopScope::current();
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<Index>(0, n, static_cast<std::size_t>(grain)),
        [&](const tbb::blocked_range<Index>& range) {
          const StopScope scope(condition);
          body(range.begin(), range.end(), tbb::this_task_arena::current_thread_index());
        },
        tbb::simple_partitioner());
  });
}

}  // namespace gapwise::internal
