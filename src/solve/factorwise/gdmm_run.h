#pragma once

#include "solve/factorwise/soft_dual.h"
#include "solve/fields.h"

namespace gapwise::internal {

/// The greedy direction method of multipliers, [YHZRD16], as far as it moves: pair moves on the
/// softened problem, and multipliers that follow the residual after every visit of a block. They
/// stand still during a pass after one in which the residual grew: what follows a residual that
/// does not fall runs away.
class GdmmRun {
 public:
  GdmmRun(const RunContext& context, double rho) : soft_(context, RegionMove::kPair, rho) {}

  const SoftDual& soft() const { return soft_; }
  SoftDual& soft() { return soft_; }

  /// The gap of block i before its sweep.
  double visit(MeteredOracle& oracle, Index i) {
    const double gap = soft_.sweep(oracle, i);
    if (follows_) soft_.raise_multipliers(i, 1.0);
    return gap;
  }
  void end_pass() {
    const double residual = soft_.squared_residual();
    follows_ = residual <= residual_ || residual_ < 0.0;
    residual_ = residual;
  }

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) { fields(*this, FieldReader(in)); }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.soft_, self.follows_, self.residual_);
  }

  SoftDual soft_;
  bool follows_ = true;
  double residual_ = -1.0;  ///< of the last pass; none yet
};

}  // namespace gapwise::internal
