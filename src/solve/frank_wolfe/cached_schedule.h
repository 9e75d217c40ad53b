#pragma once

#include <algorithm>

#include "gapwise/types.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/mark.h"

namespace gapwise::internal {

/// How many passes over remembered corners follow each exact pass: another one as long as the last
/// one gained at least a share of what this round gained per cost before it, exact pass included
/// (the rule of multi-plane BCFW, where the share is 1). Where not even the first one pays, it is
/// tried less and less often.
class CachedSchedule {
 public:
  /// At the most `most` cached passes in a round.
  explicit CachedSchedule(Index most, double share = 1.0) : most_(most), share_(share) {}

  /// After an exact pass: whether a cached pass follows.
  bool begin_round(const Mark& now) {
    passes_ = 0;
    if (skips_left_ > 0) {
      --skips_left_;
      return end_round(now);
    }
    return begin_pass(now);
  }

  /// After a cached pass: whether another one follows.
  bool next(const Mark& now) {
    ++passes_;
    const bool pays = slope(pass_start_, now) >= share_ * slope(round_start_, pass_start_);
    if (pays && now.dual > pass_start_.dual) return begin_pass(now);
    skip_length_ = passes_ == 1 ? std::min<Index>(2 * skip_length_ + 1, kMostSkips) : 0;
    skips_left_ = skip_length_;
    return end_round(now);
  }

  /// Whether the next round starts with a cached pass.
  bool goes_on() const { return skips_left_ == 0; }
  Index passes() const { return passes_; }  ///< complete cached passes of this round

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) {
    fields(*this, FieldReader(in));
    in.require(passes_ <= most_ && skip_length_ <= kMostSkips && skips_left_ <= skip_length_,
               "a schedule that no run has");
  }

 private:
  /// Exact passes in a row without cached ones, at the most.
  static constexpr Index kMostSkips = 7;

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.passes_, self.skip_length_, self.skips_left_, self.round_start_, self.pass_start_);
  }
  static double slope(const Mark& from, const Mark& to) {
    return (to.dual - from.dual) / std::max(to.cost - from.cost, 1e-300);
  }
  bool begin_pass(const Mark& now) {
    if (passes_ == most_) return end_round(now);
    pass_start_ = now;
    return true;
  }
  bool end_round(const Mark& now) {
    round_start_ = now;
    return false;
  }

  Index most_;
  double share_;
  Index passes_ = 0;
  Index skip_length_ = 0;  ///< exact passes to go without cached ones
  Index skips_left_ = 0;
  Mark round_start_;
  Mark pass_start_;
};

}  // namespace gapwise::internal
