#include "run/signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace gapwise::internal::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<bool> wants_checkpoint{false};
bool is_terminal = false;  // set before the handlers are
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int number) {
  if (interrupted.exchange(true)) {
    if (number == SIGHUP || number == SIGUSR2) return;
    _exit(128 + number);
  }
  constexpr std::string_view kNotice = "\nstopping; once more to end at once\n";
  if (!is_terminal) return;
  [[maybe_unused]] const auto ignored = write(STDERR_FILENO, kNotice.data(), kNotice.size());
}

extern "C" void on_checkpoint_request(int) {
  wants_checkpoint.store(true);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action = {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = handler;
  sigaction(number, &action, nullptr);
}

}  // namespace

void catch_signals() {
  is_terminal = isatty(STDERR_FILENO) == 1;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle(number, on_signal);
  handle(SIGPIPE, SIG_IGN);
}

void catch_end_requests() {
  handle(SIGUSR2, on_signal);
}

void catch_checkpoint_requests() {
  handle(SIGUSR1, on_checkpoint_request);
}

const std::atomic<bool>& stop_flag() {
  return interrupted;
}

bool takes_checkpoint_request() {
  return wants_checkpoint.load(std::memory_order_relaxed) && wants_checkpoint.exchange(false);
}

}  // namespace gapwise::internal::cli
