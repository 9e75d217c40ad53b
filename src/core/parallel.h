#pragma once

#include <functional>
#include <memory>

#include "gapwise/types.h"

namespace gapwise::internal {

/// A fixed number of threads. Work is handed out in chunks of an index range; results do not
/// depend on the number of threads as long as each index writes only what it owns, and sums are
/// taken afterwards in index order.
class Threads {
 public:
  /// `count` >= 1; without one, as many as there are cores that this process may use.
  Threads();
  explicit Threads(int count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return count_; }

  /// Calls body(begin, end, slot) until 0..n-1 is covered; `slot` < count() is never used by two
  /// calls at once. Exceptions from the body are passed on, and the StopScope of the caller holds
  /// for it.
  void run(Index n, const std::function<void(Index begin, Index end, int slot)>& body) const;

 private:
  struct Arena;
  int count_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace gapwise::internal
