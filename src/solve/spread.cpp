#include "solve/spread.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <vector>

#include "core/stop.h"

namespace gapwise::internal {
namespace {

constexpr Index kNone = std::numeric_limits<Index>::max();

/// The first exception in the order of the items, whichever thread was first.
class FirstFailure {
 public:
  Index item() const { return item_; }
  void keep(Index k) {
    const std::lock_guard lock(mutex_);
    if (k >= item_) return;
    item_ = k;
    exception_ = std::current_exception();
  }
  const std::exception_ptr& exception() const { return exception_; }
  bool is_given_up() const {
    if (!exception_) return false;
    try {
      std::rethrow_exception(exception_);
    } catch (const GivenUp&) {
      return true;
    } catch (...) {
      return false;
    }
  }

 private:
  std::atomic<Index> item_ = kNone;
  std::exception_ptr exception_;
  std::mutex mutex_;
};

/// Pieces of about this many seconds, so that nobody waits long for the last one, and those who
/// want an end wait no longer.
constexpr double kPieceSeconds = 0.02;
/// As long as nobody knows how long an item takes.
constexpr Index kFirstPiece = 8;

Index most_per_piece(double seconds_each) {
  if (!(seconds_each > 0.0)) return kFirstPiece;
  return static_cast<Index>(std::clamp(kPieceSeconds / seconds_each, 1.0, 1e9));
}

/// What a rank has done: the items with their results, and its first failure.
class Share {
 public:
  void add(Index k, const SpreadWork& work) {
    out_.count(k);
    work.pack(k, out_);
    ++items_;
  }
  std::string take() {
    StateWriter head;
    head.count(items_);
    items_ = 0;
    return head.take() + out_.take();
  }

 private:
  StateWriter out_;
  Index items_ = 0;
};

void work_alone(const Threads& threads, const SpreadWork& work) {
  FirstFailure failure;
  threads.run(work.count, [&](Index from, Index to, int slot) {
    Index k = from;
    try {
      for (; k < to && k < failure.item(); ++k) work.work(k, slot);
    } catch (...) {
      failure.keep(k);
    }
  });
  if (failure.exception()) std::rethrow_exception(failure.exception());
}

/// The work of this rank, as the others are told of it.
std::string work_on_share(const Threads& threads, Ranks& ranks, const SpreadWork& work,
                          FirstFailure& failure) {
  std::vector<Share> shares(static_cast<std::size_t>(threads.count()));
  threads.run(threads.count(), [&](Index, Index, int slot) {
    Share& share = shares[static_cast<std::size_t>(slot)];
    while (failure.item() == kNone) {
      const ItemRange range = ranks.take();
      if (range.is_empty()) return;
      Index k = range.begin;
      try {
        for (; k < range.end; ++k) {
          work.work(k, slot);
          share.add(k, work);
        }
      } catch (...) {
        failure.keep(k);
      }
    }
  });
  std::string mine;
  for (Share& share : shares) mine += share.take();
  return mine;
}

struct Told {
  Index item = kNone;
  Failure failure;
};

void write_failure(const FirstFailure& failure, StateWriter& out) {
  const bool has_failed = failure.item() != kNone;
  out.flag(has_failed);
  if (!has_failed) return;
  const Failure told = Failure::of(failure.exception());
  out.count(failure.item());
  out.u8(static_cast<std::uint8_t>(told.kind));
  out.text(told.what);
}

Told read_failure(StateReader& in) {
  Told told;
  if (!in.flag()) return told;
  told.item = in.count();
  told.failure.kind = static_cast<Failure::Kind>(in.u8());
  told.failure.what = in.text();
  return told;
}

void work_together(const Threads& threads, Ranks& ranks, const Problem& problem,
                   const SpreadWork& work) {
  ranks.open(work.count, most_per_piece(work.seconds_each), threads.count());
  FirstFailure failure;
  const std::string results = work_on_share(threads, ranks, work, failure);
  if (failure.is_given_up()) ranks.give_up_work();
  StateWriter head;
  write_failure(failure, head);
  const std::vector<std::string> said = ranks.meet(Meeting::kWork, head.take() + results);

  Told first;
  int first_rank = 0;
  for (std::size_t r = 0; r < said.size(); ++r) {
    StateReader in(said[r], ranks.name(static_cast<int>(r)), problem);
    Told told = read_failure(in);
    if (told.item >= first.item) continue;
    first = std::move(told);
    first_rank = static_cast<int>(r);
  }
  if (first.item != kNone) {
    if (first_rank == ranks.rank()) std::rethrow_exception(failure.exception());
    first.failure.raise();
  }
  for (std::size_t r = 0; r < said.size(); ++r) {
    if (static_cast<int>(r) == ranks.rank()) continue;
    StateReader in(said[r], ranks.name(static_cast<int>(r)), problem);
    read_failure(in);
    while (in.left() > 0) {
      for (Index items = in.count(); items > 0; --items) {
        const Index k = in.count_up_to(work.count - 1);
        work.take(k, in);
      }
    }
  }
}

}  // namespace

void spread(const Threads& threads, Ranks* ranks, const Problem& problem, const SpreadWork& work) {
  if (work.count <= 0) return;
  if (ranks == nullptr) {
    work_alone(threads, work);
  } else {
    work_together(threads, *ranks, problem, work);
  }
}

}  // namespace gapwise::internal
