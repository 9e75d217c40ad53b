#include "interrupts.h"

namespace gapwise::python {
namespace {

std::atomic<std::atomic<bool>*> flag_of_run{nullptr};
std::atomic<void (*)(int)> handler_before{nullptr};

void on_interrupt(int signal) {
  std::atomic<bool>* const flag = flag_of_run.load();
  if (flag != nullptr && !flag->exchange(true)) return;
  if (void (*const handler)(int) = handler_before.load(); handler != nullptr) handler(signal);
}

}  // namespace

InterruptGuard::InterruptGuard(std::atomic<bool>& stop) {
  sigaction(SIGINT, nullptr, &before_);
  const bool has_handler = (before_.sa_flags & SA_SIGINFO) == 0 && before_.sa_handler != SIG_DFL &&
                           before_.sa_handler != SIG_IGN;
  handler_before = has_handler ? before_.sa_handler : nullptr;
  flag_of_run = &stop;
  struct sigaction ours {};
  ours.sa_handler = on_interrupt;
  sigaction(SIGINT, &ours, nullptr);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &before_, nullptr);
  flag_of_run = nullptr;
}

}  // namespace gapwise::python
