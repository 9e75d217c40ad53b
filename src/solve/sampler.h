#pragma once

#include <vector>

#include "core/random.h"
#include "gapwise/train_options.h"
#include "solve/frank_wolfe/gap_tracker.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// Which block comes next. Draws only from the generator it is given. `gap` draws in proportion to
/// the last block gaps seen ([OALDL16] section 3.1), after a first pass in random order that sees
/// them all; now and then it draws uniformly, so that no block starves on an old gap of zero.
class Sampler {
 public:
  /// `order` is the visiting order of `cyclic`; empty for 0..n-1.
  Sampler(Sampling kind, Index n, const std::vector<Index>& order);

  Index next(Rng& rng, const GapTracker& gaps);
  /// The block that will probably be next (or the one after it), to be fetched in time; a guess.
  Index likely_next(std::size_t after = 0) const {
    return order_[at_ + after < order_.size() ? at_ + after : 0];
  }

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  /// Whether the order is one that the generator has made, and still in use.
  bool shuffles() const {
    return kind_ == Sampling::kPermutation || (kind_ == Sampling::kGap && is_first_pass_);
  }

  Sampling kind_;
  std::vector<Index> order_;
  std::size_t at_ = 0;
  bool is_first_pass_ = true;
};

}  // namespace gapwise::internal
