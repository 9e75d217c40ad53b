#include "run/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

namespace gapwise::internal::cli {
namespace {

std::atomic<bool> interrupted{false};
bool is_terminal = false;  // set before the handlers are
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int number) {
  if (interrupted.exchange(true)) _exit(128 + number);
  constexpr std::string_view kNotice = "\nstopping; once more to end at once\n";
  if (!is_terminal) return;
  [[maybe_unused]] const auto ignored = write(STDERR_FILENO, kNotice.data(), kNotice.size());
}

}  // namespace

void catch_signals() {
  is_terminal = isatty(STDERR_FILENO) == 1;
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

bool is_interrupted() {
  return interrupted.load(std::memory_order_relaxed);
}

}  // namespace gapwise::internal::cli
