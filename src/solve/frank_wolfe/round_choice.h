#pragma once

#include <array>
#include <limits>

#include "gapwise/types.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/mark.h"

namespace gapwise::internal {

/// How a round gets its new corners: by an exact pass, which moves every block at once when its
/// corner is found, or by a probe, which asks for all of them at one point and certifies by the
/// way.
enum class Round { kExact, kProbe, kLast = kProbe };

/// Takes probes, unless exact passes gained much more of the dual per cost when last seen. Gains
/// fall from round to round, so whoever was seen long ago looks better than it is; and a probe
/// certifies besides, and is made on all threads.
class RoundChoice {
 public:
  void begin(Round kind, const Mark& now) {
    kind_ = kind;
    start_ = now;
  }
  void end(const Mark& now) {
    ++rounds_;
    if (now.cost <= start_.cost) return;
    rate(kind_) = (now.dual - start_.dual) / (now.cost - start_.cost);
  }

  Round next() const {
    if (rounds_ < kExactRoundsFirst) return Round::kExact;
    return kMuchMore * rates_[1] >= rates_[0] ? Round::kProbe : Round::kExact;
  }

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) { fields(*this, FieldReader(in)); }

 private:
  /// From far away, many small moves find more than one look.
  static constexpr Index kExactRoundsFirst = 3;
  static constexpr double kMuchMore = 4.0;

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.kind_, self.rounds_, self.start_, Unbounded(self.rates_[0]),
         Unbounded(self.rates_[1]));
  }
  double& rate(Round kind) { return rates_[kind == Round::kProbe ? 1 : 0]; }

  Round kind_ = Round::kExact;
  Index rounds_ = 0;
  Mark start_;
  std::array<double, 2> rates_{0.0, std::numeric_limits<double>::infinity()};
};

}  // namespace gapwise::internal
