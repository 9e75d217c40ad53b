#include "mpi_communicator.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "gapwise/errors.h"

namespace gapwise::internal::mpi {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// Of every message so many bytes come with its length, so that short ones need one collective.
constexpr std::size_t kShort = 496;
/// Counts of MPI are 32 bits, and so is the place in what is gathered.
constexpr std::size_t kMostGathered = std::size_t{1} << 30;

struct Head {
  std::uint64_t size;
  std::array<char, kShort> begin;
};

constexpr int kAskTag = 1;
constexpr int kBeatTag = 2;
constexpr Index kFirstReplyTag = 16;
constexpr Index kReplyTags = 16384;

/// Sleeps between two looks: short ones first, as most waits are short.
class Nap {
 public:
  void take() {
    std::this_thread::sleep_for(nap_);
    nap_ = std::min(microseconds(200), nap_ + nap_ / 8 + microseconds(1));
  }

 private:
  microseconds nap_{10};
};

void wake_up_in_time() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // of this thread; 50 us otherwise
}

}  // namespace

MpiCommunicator::MpiCommunicator(double lost_after)
    : rank_([] {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return rank;
      }()),
      watchdog_(rank_, lost_after) {
  for (MPI_Comm* comm : {&talk_, &work_, &beats_}) {
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
  }
  MPI_Comm_size(talk_, &size_);
  wake_up_in_time();
  introduce();
  watchdog_.watch(peers_);
  server_ = std::thread([this] { serve(); });
}

MpiCommunicator::~MpiCommunicator() {
  is_over_ = true;
  server_.join();
  for (MPI_Request& request : sent_) {  // to ranks that may not listen any more
    MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
}

void MpiCommunicator::check(int code, const char* what) const {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(
      fmt::format("{} cannot {}: {}; a rank may be lost: start the job again, with --resume "
                  "FILE if it had --checkpoint FILE",
                  rank_, what, std::string(text.data(), static_cast<std::size_t>(length))));
}

void MpiCommunicator::wait(MPI_Request& request, const char* what) const {
  Nap nap;
  for (int is_done = 0;;) {
    check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), what);
    if (is_done != 0) return;
    nap.take();
  }
}

/// Hosts and processes of all ranks.
void MpiCommunicator::introduce() {
  struct Card {
    std::array<char, 256> host;
    std::int64_t process;
  };
  Card mine{};
  gethostname(mine.host.data(), mine.host.size() - 1);
  mine.process = getpid();
  std::vector<Card> all(static_cast<std::size_t>(size_));
  check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, talk_),
        "reach the others");
  for (const Card& card : all) peers_.push_back({card.host.data(), card.process});
}

std::vector<std::string> MpiCommunicator::exchange(const std::string& mine) {
  const auto ranks = static_cast<std::size_t>(size_);
  Head head{};
  head.size = mine.size();
  std::memcpy(head.begin.data(), mine.data(), std::min(mine.size(), kShort));
  std::vector<Head> heads(ranks);
  MPI_Request request = MPI_REQUEST_NULL;
  constexpr const char* kWhat = "exchange messages";
  check(MPI_Iallgather(&head, sizeof head, MPI_BYTE, heads.data(), sizeof head, MPI_BYTE, talk_,
                       &request),
        kWhat);
  wait(request, kWhat);

  std::vector<std::string> said(ranks);
  std::size_t longest = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    said[r].assign(heads[r].begin.data(), std::min<std::size_t>(heads[r].size, kShort));
    longest = std::max<std::size_t>(longest, heads[r].size);
  }
  // The rest of long ones, in rounds of as much as MPI can count.
  const std::size_t piece = kMostGathered / ranks;
  std::vector<char> gathered;
  for (std::size_t at = kShort; at < longest; at += piece) {
    std::vector<int> sizes(ranks);
    std::vector<int> places(ranks);
    std::size_t sum = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      const std::size_t size = heads[r].size > at ? std::min(piece, heads[r].size - at) : 0;
      sizes[r] = static_cast<int>(size);
      places[r] = static_cast<int>(sum);
      sum += size;
    }
    gathered.resize(sum);
    const auto me = static_cast<std::size_t>(rank_);
    const char* const from = mine.data() + std::min(at, mine.size());
    check(MPI_Iallgatherv(from, sizes[me], MPI_BYTE, gathered.data(), sizes.data(), places.data(),
                          MPI_BYTE, talk_, &request),
          kWhat);
    wait(request, kWhat);
    for (std::size_t r = 0; r < ranks; ++r) {
      said[r].append(gathered.data() + places[r], static_cast<std::size_t>(sizes[r]));
    }
  }
  ++round_;
  return said;
}

void MpiCommunicator::open(Index count, Index most, Index takers) {
  if (rank_ == 0) hand_out_.open(round_, count, most, takers);
}

ItemRange MpiCommunicator::take() {
  if (rank_ == 0) return hand_out_.take(round_).value_or(ItemRange());
  constexpr const char* kWhat = "ask for work";
  const Index tag = kFirstReplyTag + next_tag_++ % kReplyTags;
  const std::array<Index, 2> ask{round_, tag};
  std::array<Index, 2> reply{};
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(reply.data(), 2, MPI_INT64_T, 0, static_cast<int>(tag), work_, &request), kWhat);
  check(MPI_Send(ask.data(), 2, MPI_INT64_T, 0, kAskTag, work_), kWhat);
  wait(request, kWhat);
  return {reply[0], reply[1]};
}

/// Looks often while there is work to hand out.
void MpiCommunicator::serve() {
  wake_up_in_time();
  constexpr milliseconds kBetweenBeats{500};
  constexpr milliseconds kBetweenLooks{10};
  Clock::time_point beat_at = Clock::now();
  Clock::time_point looked_at = Clock::now();
  while (!is_over_) {
    if (rank_ == 0) answer_requests();
    hear_beats();
    const Clock::time_point now = Clock::now();
    if (now >= beat_at) {
      send_beats();
      beat_at = now + kBetweenBeats;
    }
    if (now >= looked_at) {
      watchdog_.look();
      looked_at = now + kBetweenLooks;
    }
    std::this_thread::sleep_for(rank_ == 0 ? microseconds(50) : microseconds(5000));
  }
}

void MpiCommunicator::answer_requests() {
  for (int is_there = 1;;) {
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, kAskTag, work_, &is_there, &status) != MPI_SUCCESS) return;
    if (is_there == 0) break;
    std::array<Index, 2> ask{};
    MPI_Recv(ask.data(), 2, MPI_INT64_T, status.MPI_SOURCE, kAskTag, work_, MPI_STATUS_IGNORE);
    waiting_.push_back({status.MPI_SOURCE, ask[0], ask[1]});
  }
  std::erase_if(waiting_, [&](const Request& asked) {
    const auto range = hand_out_.take(asked.round);
    if (!range) return false;
    const std::array<Index, 2> reply{range->begin, range->end};
    MPI_Send(reply.data(), 2, MPI_INT64_T, asked.rank, static_cast<int>(asked.tag), work_);
    return true;
  });
}

void MpiCommunicator::hear_beats() {
  for (int is_there = 1;;) {
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, kBeatTag, beats_, &is_there, &status) != MPI_SUCCESS) return;
    if (is_there == 0) return;
    MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, kBeatTag, beats_, MPI_STATUS_IGNORE);
    watchdog_.heard_of(status.MPI_SOURCE);
  }
}

/// Of rank 0 to all others, and of them to rank 0; never waits for somebody who may be gone.
void MpiCommunicator::send_beats() {
  std::erase_if(sent_, [](MPI_Request& request) {
    int is_done = 0;
    return MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0;
  });
  const std::size_t most_unheard = 64 * static_cast<std::size_t>(size_);
  if (sent_.size() > most_unheard) return;
  for (int r = rank_ == 0 ? 1 : 0; r < (rank_ == 0 ? size_ : 1); ++r) {
    sent_.emplace_back(MPI_REQUEST_NULL);
    MPI_Isend(nullptr, 0, MPI_BYTE, r, kBeatTag, beats_, &sent_.back());
  }
}

}  // namespace gapwise::internal::mpi
