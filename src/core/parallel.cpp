#include "core/parallel.h"

#include <sched.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "core/stop.h"

namespace gapwise::internal {

struct Threads::Arena {
  explicit Arena(int threads) : count(threads), arena(threads) {}
  int count;
  tbb::task_arena arena;
};

namespace {

/// Things of a size that nobody uses now. Arenas are used again, since oneTBB 2021.8 loses 7 kB of
/// memory with each one that ever ran anything.
template <class T>
class Pool {
 public:
  std::unique_ptr<T> take(int count) {
    const std::lock_guard lock(mutex_);
    std::vector<std::unique_ptr<T>>& idle = idle_[count];
    if (idle.empty()) return std::make_unique<T>(count);
    std::unique_ptr<T> taken = std::move(idle.back());
    idle.pop_back();
    return taken;
  }
  void put_back(std::unique_ptr<T> used) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      std::vector<std::unique_ptr<T>>& idle = idle_[used->count];
      idle.reserve(idle.size() + 1);
      idle.push_back(std::move(used));
    } catch (const std::bad_alloc&) {
      used.reset();  // no room to keep it
    }
  }

  /// Never destroyed: who uses it may outlive everything else.
  static Pool& instance() {
    static Pool& pool = *new Pool;
    return pool;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<std::unique_ptr<T>>> idle_;
};

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
    : count_(count), arena_(Pool<Arena>::instance().take(std::min(count, cores()))) {}

Threads::~Threads() {
  Pool<Arena>::instance().put_back(std::move(arena_));
}

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
