#pragma once

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/communicator.h"

namespace gapwise::internal {

/// The items that rank 0 hands out, round by round: large pieces first, small ones at the end, so
/// that all ranks are done at about the same time however long items take.
class HandOut {
 public:
  /// Of the round that is under way; 0 is the first one.
  void open(Index round, Index count, Index most, Index takers) {
    const std::lock_guard lock(mutex_);
    round_ = round;
    next_ = 0;
    end_ = count;
    most_ = std::max<Index>(1, most);
    takers_ = std::max<Index>(1, takers);
  }

  /// Nothing while that round is not open.
  std::optional<ItemRange> take(Index round) {
    const std::lock_guard lock(mutex_);
    if (round_ < round) return std::nullopt;
    if (round_ > round) return ItemRange();
    const Index size = std::clamp<Index>((end_ - next_) / (kPiecesPerTaker * takers_), 1, most_);
    const ItemRange range{next_, std::min(end_, next_ + size)};
    next_ = range.end;
    return range;
  }

 private:
  static constexpr Index kPiecesPerTaker = 4;

  std::mutex mutex_;
  Index round_ = -1;
  Index next_ = 0;
  Index end_ = 0;
  Index most_ = 1;
  Index takers_ = 1;
};

}  // namespace gapwise::internal
