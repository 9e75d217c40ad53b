#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/communicator.h"
#include "core/hand_out.h"
#include "core/ranks.h"

namespace gapwise::internal::testing {

/// Ranks that are threads of one process.
class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : size_(size), said_(static_cast<std::size_t>(size)) {}

  /// Runs `body` as every rank and returns what each of them threw, if anything. As the program
  /// does, a rank that throws tells the others.
  std::vector<std::exception_ptr> run(const std::function<void(Ranks&)>& body) {
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(size_));
    std::vector<std::thread> threads;
    for (int r = 0; r < size_; ++r) {
      threads.emplace_back([&, r] {
        Rank rank(*this, r);
        Ranks ranks(rank);
        try {
          body(ranks);
          ranks.meet(Meeting::kEnd, {});
        } catch (...) {
          thrown[static_cast<std::size_t>(r)] = std::current_exception();
          ranks.fail(std::current_exception());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    return thrown;
  }

 private:
  class Rank final : public Communicator {
   public:
    Rank(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return all_.size_; }
    std::string place(int) const override { return {}; }

    std::vector<std::string> exchange(const std::string& mine) override {
      ++round_;
      return all_.exchange(rank_, mine);
    }
    void open(Index count, Index most, Index takers) override {
      if (rank_ != 0) return;
      const std::lock_guard lock(all_.mutex_);
      all_.hand_out_.open(round_, count, most, takers);
      all_.changed_.notify_all();
    }
    ItemRange take() override {
      std::unique_lock lock(all_.mutex_);
      std::optional<ItemRange> range;
      all_.changed_.wait(lock, [&] { return (range = all_.hand_out_.take(round_)).has_value(); });
      return *range;
    }

   private:
    ThreadRanks& all_;
    int rank_;
    Index round_ = 0;
  };

  std::vector<std::string> exchange(int rank, const std::string& mine) {
    std::unique_lock lock(mutex_);
    const Index exchanged = exchanges_;
    said_[static_cast<std::size_t>(rank)] = mine;
    if (++arrived_ == size_) {
      arrived_ = 0;
      ++exchanges_;
      heard_ = said_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return exchanges_ != exchanged; });
    }
    return heard_;
  }

  int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> said_;
  std::vector<std::string> heard_;  ///< of the last exchange
  int arrived_ = 0;
  Index exchanges_ = 0;
  HandOut hand_out_;
};

/// The message of an exception; empty for none.
inline std::string message_of(const std::exception_ptr& exception) {
  if (!exception) return {};
  return Failure::of(exception).what;
}

}  // namespace gapwise::internal::testing
