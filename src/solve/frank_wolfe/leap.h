#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solve/dual_state.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/sweep_cost.h"
#include "solve/records/alpha_table.h"

namespace gapwise::internal {

/// A dual point as records move it, without a constraint: w in the numbers of the records. Those
/// that have none stay where they are.
class RecordPoint {
 public:
  RecordPoint(DualPoint& point, MutableWeights w) : point_(point), w_(w) {}

  Weights v() const { return w_; }
  double ell() const { return point_.ell(); }
  double n() const { return point_.n(); }
  Ascent along(Weights change, double ell_change, double) const {
    return ascent(w_, change, ell_change, point_.lambda());
  }
  void shift(Weights change, double ell_change) {
    const double gain = along(change, ell_change, 1.0).gain(1.0);
    for (std::size_t k = 0; k < w_.size(); ++k) w_[k] += change[k];
    point_.stepped(ell_change, gain);
  }

 private:
  DualPoint& point_;
  MutableWeights w_;
};

/// Extrapolates whole passes over remembered corners. Block-coordinate ascent creeps when blocks
/// pull on each other (small lambda): pass after pass goes the same way. A leap takes the
/// direction from where the last leap started to where we are now (so it holds the last leap too,
/// which is momentum), and finds the best step along it by exact line search. Where weights of a
/// block would turn negative, they are clipped at 0 and the block is scaled back to its old sum;
/// then comes a second search along what that leaves of the step. The dual never falls. Costs a few
/// sweeps over w.
class Leap {
 public:
  /// Starts anew from here: the next leap will only know what happened since.
  /// The weights are to be marked too.
  void mark(Weights v, double ell);

  /// Whether leaps may have stretched rounding errors too far: then the point is to be computed
  /// anew from the corners, and marked, before the next one.
  bool is_stretched() const { return stretch_ > kMostStretch; }

  /// Leaps from here and marks where from; returns whether anything moved. `change` and
  /// `ell_change` tell what did. `add` adds what amounts of the corners of block i are worth in v
  /// to `change`, and returns their loss.
  using Add =
      std::function<double(Index i, std::span<const double> amounts, MutableWeights change)>;
  template <class Point>
  bool make(Point&& point, AlphaTable& table, const Add& add);

  /// The same where the weights are those of corner sets; with what is to be done if stretched.
  void mark(const DualPoint& point, std::vector<CornerSet>& corners);
  bool make(Oracle& oracle, DualPoint& point, std::vector<CornerSet>& corners);

  Weights change() const { return change_; }
  double ell_change() const { return ell_change_; }

  /// What a leap costs in scores of single parts.
  static double cost(Index dimension) { return kSweeps * sweep_cost(dimension); }
  static double cost_by_records(Index weights) { return kSweeps * short_sweep_cost(weights); }

  bool has_mark(Index weights) const { return std::ssize(v_mark_) == weights; }
  /// Until the next mark there is nothing to save.
  void forget_mark() { v_mark_.clear(); }

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  static constexpr double kSweeps = 6.0;       ///< over w, about
  static constexpr double kMostStretch = 1e5;  ///< of rounding errors of 1e-16

  std::vector<double> v_mark_;
  double ell_mark_ = 0.0;
  double stretch_ = 1.0;  ///< of all leaps since the mark
  std::vector<double> change_;
  double ell_change_ = 0.0;
  AlphaTable of_sets_;
  std::vector<double> cut_;  ///< of the weights of one block
};

}  // namespace gapwise::internal
