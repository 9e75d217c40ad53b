#pragma once

#include <atomic>
#include <csignal>

namespace gapwise::python {

/// While it lives, the first SIGINT raises `stop`; a second one is handled as before. For the main
/// thread only, and one at a time.
class InterruptGuard {
 public:
  explicit InterruptGuard(std::atomic<bool>& stop);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace gapwise::python
