#pragma once

#include <mpi.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/communicator.h"
#include "core/hand_out.h"
#include "watchdog.h"

namespace gapwise::internal::mpi {

/// The processes that mpirun or srun started. A thread of each answers for it while it works: that
/// of rank 0 hands out work, all tell each other that they are alive, and end the job if one of
/// them is not. Whoever waits sleeps in between, so that there may be more ranks than cores.
class MpiCommunicator final : public Communicator {
 public:
  /// After MPI_Init_thread with MPI_THREAD_MULTIPLE; a rank that is not heard of for so many
  /// seconds is lost, if they are more than 0.
  explicit MpiCommunicator(double lost_after);
  /// Before MPI_Finalize; all ranks do it.
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string place(int rank) const override { return peers_[static_cast<std::size_t>(rank)].host; }
  std::vector<std::string> exchange(const std::string& mine) override;
  void open(Index count, Index most, Index takers) override;
  ItemRange take() override;

 private:
  struct Request {
    int rank;
    Index round;
    Index tag;
  };

  void check(int code, const char* what) const;
  void wait(MPI_Request& request, const char* what) const;
  void introduce();

  // The thread beside the work.
  void serve();
  void answer_requests();
  void hear_beats();
  void send_beats();

  MPI_Comm talk_ = MPI_COMM_NULL;   ///< exchanges
  MPI_Comm work_ = MPI_COMM_NULL;   ///< requests for work and replies
  MPI_Comm beats_ = MPI_COMM_NULL;  ///< signs of life
  int rank_ = 0;
  int size_ = 1;
  std::vector<Peer> peers_;
  std::atomic<Index> round_ = 0;
  HandOut hand_out_;
  std::atomic<Index> next_tag_ = 0;
  std::vector<Request> waiting_;  ///< for a round that is not open yet
  std::vector<MPI_Request> sent_;
  Watchdog watchdog_;
  std::atomic<bool> is_over_ = false;
  std::thread server_;
};

}  // namespace gapwise::internal::mpi
