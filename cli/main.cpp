#include <csignal>
#include <cstddef>
#include <span>

#include "gapwise_commit.h"
#include "run/signals.h"
#include "shell/program.h"
#include "shell/reserve.h"

int main(int argc, char** argv) {
  using namespace gapwise::internal::cli;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is then told as any that cannot
  keep_reserve();
  catch_checkpoint_requests();
  return run_program({.name = "gapwise", .commit = GAPWISE_COMMIT},
                     std::span<char* const>(argv, static_cast<std::size_t>(argc)).subspan(1));
}
