#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "solve/frank_wolfe/corner_set.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// The visits of a pass over remembered corners: every block once, in random order.
class ShuffledBlocks {
 public:
  explicit ShuffledBlocks(Index n) : order_(static_cast<std::size_t>(n)) {}

  void begin(Rng& rng) {
    std::iota(order_.begin(), order_.end(), Index{0});
    rng.shuffle(std::span(order_));
    left_ = std::ssize(order_);
  }
  bool is_over() const { return left_ == 0; }

  /// The next block. Blocks lie anywhere in memory: what the one after it remembers is fetched
  /// meanwhile, and the place where the one after that notes it.
  [[gnu::always_inline]] Index next(const std::vector<CornerSet>& corners) {
    const Index* i = &order_[static_cast<std::size_t>(--left_)];
    if (left_ > 1) {
      __builtin_prefetch(&corners[static_cast<std::size_t>(i[-2])]);
      corners[static_cast<std::size_t>(i[-1])].prefetch_contents();
    }
    return *i;
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
