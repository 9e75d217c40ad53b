#pragma once

#include <vector>

#include "gapwise/problem.h"
#include "gapwise/train_options.h"
#include "solve/fields.h"

namespace gapwise::internal {

/// An average of the iterates w_1, w_2, ... and of their ell, kept at a cost that depends only on
/// what a step changes ([LJSP13] eq. 14-15, lazily): with delta_s = w_s - w_{s-1},
///   weighted   u += s(s-1)/2 delta_s,   average after k steps = w_k - u / (k(k+1)/2)
///   suffix     u += (s-1-a) delta_s,    average of steps a+1..k = w_k - u / (k-a)
///   uniform    the same with a = 0 all the time
/// The suffix starts anew (a = k, u = 0) after 1, 2, 4, 8, ... passes, so that at the end of each
/// of those passes it is the average of the latter half of the run.
class Averager {
 public:
  Averager(Average kind, Index n, Index dimension);

  bool is_on() const { return kind_ != Average::kNone; }

  /// A step of block i that changed w by scale * B_i parts and ell by `ell_change`.
  void add(Oracle& oracle, Index i, const Parts& parts, double scale, double ell_change);
  /// A step that changed w by the dense vector `change`.
  void add(Weights change, double ell_change);
  /// A step that changed nothing.
  void add_nothing() { begin_step(); }

  /// The average, given the current iterate.
  void average(Weights w, double ell, std::vector<double>& w_out, double& ell_out) const;

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in);

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.steps_, self.suffix_start_, self.next_restart_, std::span(self.u_), self.ell_u_);
  }
  double begin_step();  ///< the weight of this step's change in u

  Average kind_;
  Index steps_ = 0;         ///< k
  Index suffix_start_ = 0;  ///< a
  Index next_restart_ = 0;
  std::vector<double> u_;
  double ell_u_ = 0.0;
};

}  // namespace gapwise::internal
