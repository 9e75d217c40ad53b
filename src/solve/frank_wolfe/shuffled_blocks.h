#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/fields.h"
#include "core/random.h"
#include "solve/frank_wolfe/corner_set.h"

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

  void save(ByteWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(ByteReader& in) {
    const auto n = std::ssize(order_);
    fields(*this, FieldReader(in));
    const auto is_block = [n](Index i) { return i >= 0 && i < n; };
    if (left_ < 0 || left_ > n || std::ssize(order_) != n ||
        !std::all_of(order_.begin(), order_.end(), is_block)) {
      in.fail("holds a visiting order that does not fit the data; it is damaged");
    }
  }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.order_, self.left_);
  }

  std::vector<Index> order_;  ///< from behind
  Index left_ = 0;
};

}  // namespace gapwise::internal
