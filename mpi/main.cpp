#include <fmt/format.h>
#include <mpi.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "gapwise_commit.h"
#include "mpi_communicator.h"
#include "run/signals.h"
#include "shell/exit_codes.h"
#include "shell/program.h"
#include "shell/reserve.h"

namespace gapwise::internal::mpi {
namespace {

constexpr double kLostAfter = 60.0;

struct WatchOption {
  double lost_after = kLostAfter;
  std::optional<std::string> complaint;
};

/// Takes `--rank-timeout S` out of the words: the job needs it before any verb looks at them.
WatchOption take_timeout(cli::Arguments& words) {
  const std::string name = "--rank-timeout";
  WatchOption found;
  for (auto word = words.begin(); word != words.end(); ++word) {
    const bool is_joined = word->starts_with(name + "=");
    if (*word != name && !is_joined) continue;
    const bool has_value = is_joined || word + 1 != words.end();
    const std::string value = is_joined   ? word->substr(name.size() + 1)
                              : has_value ? *(word + 1)
                                          : std::string();
    char* end = nullptr;
    found.lost_after = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0' || !(found.lost_after >= 0.0) ||
        !std::isfinite(found.lost_after)) {
      found.complaint = fmt::format("{} '{}': give seconds, a number >= 0; 0: never", name, value);
    }
    words.erase(word, word + (is_joined || !has_value ? 1 : 2));
    return found;
  }
  return found;
}

/// What differs from rank 0: the program or its options.
void check_same_program(Ranks& ranks, const cli::Arguments& words) {
  std::string mine = std::string(GAPWISE_VERSION) + " " + GAPWISE_COMMIT;
  for (const std::string& word : words) mine += '\0' + word;
  if (const int other = ranks.find_other(Meeting::kData, mine); other > 0) {
    throw OptionError(
        fmt::format("{} has another version of the program or other options than rank "
                    "0; give all ranks the same",
                    ranks.name(other)));
  }
}

int run(cli::Arguments words) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const WatchOption watch = take_timeout(words);
  if (watch.complaint) {
    if (rank == 0) std::fputs(fmt::format("gapwise-mpi: {}\n", *watch.complaint).c_str(), stderr);
    return rank == 0 ? cli::kUsage : cli::kDone;
  }
  const cli::Program alone{.name = "gapwise-mpi", .commit = GAPWISE_COMMIT};
  if (size == 1) return run_program(alone, words);
  // Rank 0 is to tell what happened when the others are being ended.
  cli::catch_signals();
  cli::catch_end_requests();
  MpiCommunicator communicator(watch.lost_after);
  Ranks ranks(communicator);
  cli::Program program = alone;
  program.ranks = &ranks;
  try {
    check_same_program(ranks, words);
  } catch (const Error& error) {
    ranks.fail(std::current_exception());
    if (rank != 0) return cli::kDone;
    std::fputs(fmt::format("gapwise-mpi: {}\n", error.what()).c_str(), stderr);
    return cli::kUsage;
  }
  return run_program(program, words);
}

}  // namespace
}  // namespace gapwise::internal::mpi

int main(int argc, char** argv) {
  using namespace gapwise::internal;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is then told as any that cannot
  cli::keep_reserve();
  cli::catch_checkpoint_requests();
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    std::fputs(
        "gapwise-mpi: this MPI does not serve several threads at once "
        "(MPI_THREAD_MULTIPLE); use one that does, as Open MPI of Debian\n",
        stderr);
    MPI_Abort(MPI_COMM_WORLD, cli::kInternal);
  }
  const int code = mpi::run({argv + 1, argv + argc});
  MPI_Finalize();
  return code;
}
