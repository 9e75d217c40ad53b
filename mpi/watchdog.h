#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gapwise::internal::mpi {

/// A rank as the others know it.
struct Peer {
  std::string host;
  long process = 0;
};

/// Notices when another rank is gone: its process has ended, which those on the same machine see,
/// or nothing has been heard of it for too long.
class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  Watchdog(int rank, double lost_after) : rank_(rank), lost_after_(lost_after) {}

  void watch(const std::vector<Peer>& peers);
  void heard_of(int rank) { heard_at_[static_cast<std::size_t>(rank)] = Clock::now(); }
  /// Ends the whole job, with a message, if one is gone.
  void look();

 private:
  [[noreturn]] void end_job(int rank, const std::string& how) const;
  bool is_first_to_tell(int lost) const;

  int rank_;
  double lost_after_;
  std::vector<Peer> peers_;
  std::vector<Clock::time_point> heard_at_;
  Clock::time_point looked_at_ = Clock::now();
};

}  // namespace gapwise::internal::mpi
