#pragma once

#include <algorithm>

#include "solve/factorwise/soft_dual.h"
#include "solve/fields.h"

namespace gapwise::internal {

/// The greedy direction method of multipliers, [YHZRD16], as far as it moves: pair moves on the
/// softened problem, and multipliers that follow the residual after every visit of a block. What
/// follows a residual that does not fall may run away: after a pass in which the residual grew by
/// more than half, multipliers follow half as fast, and faster again when it does not.
class GdmmRun {
 public:
  GdmmRun(const RunContext& context, double rho) : soft_(context, RegionMove::kPair, rho) {}

  const SoftDual& soft() const { return soft_; }
  SoftDual& soft() { return soft_; }

  /// The gap of block i before its sweep.
  double visit(MeteredOracle& oracle, Index i) {
    const double gap = soft_.sweep(oracle, i, kSweeps);
    soft_.raise_multipliers(i, speed_);
    return gap;
  }
  void end_pass() {
    const double residual = soft_.squared_residual();
    const bool grew = residual_ >= 0.0 && residual > kMuch * residual_;
    speed_ = std::clamp(speed_ * (grew ? kSlower : kFaster), kLeastSpeed, 1.0);
    residual_ = residual;
  }

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) { fields(*this, FieldReader(in)); }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.soft_, self.speed_, self.residual_);
  }

  static constexpr double kMuch = 1.5;  ///< for a residual to grow
  static constexpr double kSlower = 0.5;
  static constexpr double kFaster = 1.25;
  static constexpr double kLeastSpeed = 0.05;
  static constexpr Sweeps kSweeps{.by_region = 5, .whole = 2};

  SoftDual soft_;
  double speed_ = 1.0;      ///< of multipliers
  double residual_ = -1.0;  ///< of the last pass; none yet
};

}  // namespace gapwise::internal
