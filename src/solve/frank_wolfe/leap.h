#pragma once

#include <vector>

#include "solve/dual_state.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/corner_set.h"
#include "solve/frank_wolfe/sweep_cost.h"

namespace gapwise::internal {

/// Extrapolates whole passes over remembered corners. Block-coordinate ascent creeps when blocks
/// pull on each other (small lambda): pass after pass goes the same way. A leap takes the
/// direction from where the last leap started to where we are now (so it holds the last leap too,
/// which is momentum), finds the best step along it by exact line search, cuts it block by block
/// where a weight would turn negative, and searches once more along what is left. The dual never
/// falls. Costs a few sweeps over w.
class Leap {
 public:
  /// Starts anew from here: the next leap will only know what happened since.
  void mark(const DualPoint& point, std::vector<CornerSet>& corners);

  /// Leaps from here, or, where leaps may have stretched rounding errors too far, computes the
  /// point anew from the corners and starts from there; returns whether anything moved. `change`
  /// and `ell_change` tell what did.
  bool make(Oracle& oracle, DualPoint& point, std::vector<CornerSet>& corners);
  Weights change() const { return change_; }
  double ell_change() const { return ell_change_; }

  /// What a leap costs in scores of single parts.
  static double cost(Index dimension) { return kSweeps * sweep_cost(dimension); }

  bool has_mark(Index dimension) const { return std::ssize(v_mark_) == dimension; }
  /// Until the next mark there is nothing to save.
  void forget_mark() { v_mark_.clear(); }

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) { fields(*this, FieldReader(in)); }

 private:
  static constexpr double kSweeps = 6.0;       ///< over w, about
  static constexpr double kMostStretch = 1e5;  ///< of rounding errors of 1e-16

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(WeightsIfAny(self.v_mark_), self.ell_mark_, self.stretch_);
  }
  double longest_step(const CornerSet& set, double gamma) const;

  std::vector<double> v_mark_;
  double ell_mark_ = 0.0;
  double stretch_ = 1.0;  ///< of all leaps since the mark
  std::vector<double> change_;
  double ell_change_ = 0.0;
  std::vector<double> steps_;  ///< per block
};

}  // namespace gapwise::internal
