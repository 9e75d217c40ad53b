#include "watchdog.h"

#include <fmt/format.h>
#include <mpi.h>
#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <thread>

#include "shell/exit_codes.h"

namespace gapwise::internal::mpi {
namespace {

double seconds_since(Watchdog::Clock::time_point then) {
  return std::chrono::duration<double>(Watchdog::Clock::now() - then).count();
}

}  // namespace

void Watchdog::watch(const std::vector<Peer>& peers) {
  peers_ = peers;
  heard_at_.assign(peers.size(), Clock::now());
}

/// Rank 0 hears of all others, and they of rank 0.
void Watchdog::look() {
  constexpr double kStoodStill = 2.0;
  if (seconds_since(looked_at_) > kStoodStill) {  // this process did: the others did not go away
    heard_at_.assign(peers_.size(), Clock::now());
  }
  looked_at_ = Clock::now();
  const auto me = static_cast<std::size_t>(rank_);
  for (std::size_t r = 0; r < peers_.size(); ++r) {
    if (r == me) continue;
    const int rank = static_cast<int>(r);
    if (peers_[r].host == peers_[me].host && kill(static_cast<pid_t>(peers_[r].process), 0) != 0 &&
        errno == ESRCH) {
      end_job(rank, "has ended");
    }
    const bool is_heard = rank_ == 0 || rank == 0;
    if (is_heard && lost_after_ > 0.0 && seconds_since(heard_at_[r]) > lost_after_) {
      end_job(rank, fmt::format("has not been heard of for {:.0f} s", lost_after_));
    }
  }
}

/// One message is enough: by rank 0, or by rank 1 if that is what is lost.
bool Watchdog::is_first_to_tell(int lost) const {
  return rank_ == (lost == 0 ? 1 : 0);
}

void Watchdog::end_job(int rank, const std::string& how) const {
  const Peer& lost = peers_[static_cast<std::size_t>(rank)];
  const bool is_near = lost.host == peers_[static_cast<std::size_t>(rank_)].host;
  if (is_first_to_tell(rank) || (is_near && peers_[0].host != lost.host)) {
    std::fputs(
        fmt::format("gapwise-mpi: rank {} on {} {}, so the job ends; start it again with the "
                    "same options, on any number of ranks, and with --resume FILE if it had "
                    "--checkpoint FILE\n",
                    rank, lost.host, how)
            .c_str(),
        stderr);
    std::fflush(stderr);
  }
  // Whoever started the job may be ending it already; this is for those who do not notice.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  MPI_Abort(MPI_COMM_WORLD, cli::kInternal);
  std::abort();
}

}  // namespace gapwise::internal::mpi
