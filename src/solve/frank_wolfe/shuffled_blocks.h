#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/random.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// The visits of a pass over remembered corners: blocks in random order, each at most once.
class ShuffledBlocks {
 public:
  explicit ShuffledBlocks(Index n) : order_(static_cast<std::size_t>(n)) {}

  /// All blocks for which `is_due(i)`.
  template <class IsDue>
  void begin(Rng& rng, IsDue is_due) {
    left_ = 0;
    for (Index i = 0; i < std::ssize(order_); ++i) {
      if (is_due(i)) order_[static_cast<std::size_t>(left_++)] = i;
    }
    rng.shuffle(std::span(order_).first(static_cast<std::size_t>(left_)));
  }
  bool is_over() const { return left_ == 0; }

  Index next() { return order_[static_cast<std::size_t>(--left_)]; }
  /// The block `steps` after the next one, if there are so many left.
  std::optional<Index> ahead(Index steps) const {
    if (steps >= left_) return std::nullopt;
    return order_[static_cast<std::size_t>(left_ - 1 - steps)];
  }

  void save(StateWriter& out) const {
    out.count(left_);
    for (Index k = 0; k < left_; ++k) out.count(order_[static_cast<std::size_t>(k)]);
  }
  void load(StateReader& in) {
    left_ = in.count_up_to(std::ssize(order_));
    const auto left = in.distinct(static_cast<std::size_t>(left_), std::ssize(order_));
    std::copy(left.begin(), left.end(), order_.begin());
  }

 private:
  std::vector<Index> order_;  ///< from behind
  Index left_ = 0;
};

}  // namespace gapwise::internal
