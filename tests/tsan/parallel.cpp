// Takes the place of src/core/parallel.cpp under the thread sanitizer. The distribution's oneTBB is
// not instrumented, so the sanitizer misses how it hands work over and reports races that are none;
// silencing them by name would silence those of our own loop bodies, which run inside it. Plain
// threads are understood in full, and the bodies are what is to be checked.

#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/stop.h"

namespace gapwise::internal {

struct Threads::Arena {};

Threads::Threads() : Threads(std::max(2, static_cast<int>(std::thread::hardware_concurrency()))) {}
Threads::Threads(int count) : count_(count) {}
Threads::~Threads() = default;

void Threads::run(Index n,
                  const std::function<void(Index begin, Index end, int slot)>& body) const {
  if (n <= 0) return;
  const Index chunk = std::max<Index>(1, n / (Index{4} * count_));
  std::atomic<Index> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const StopCondition* const condition = StopScope::current();
  const auto work = [&](int slot) {
    const StopScope scope(condition);
    try {
      for (Index begin = next.fetch_add(chunk); begin < n; begin = next.fetch_add(chunk)) {
        body(begin, std::min(n, begin + chunk), slot);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
      next = n;
    }
  };
  std::vector<std::thread> threads;
  for (int slot = 1; slot < count_; ++slot) threads.emplace_back(work, slot);
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gapwise::internal
