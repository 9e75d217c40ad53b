#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solve/dual_state.h"
#include "solve/frank_wolfe/corner_set.h"

namespace gapwise::internal {

/// n g_i of the squared hinge, from h_p = H_i(y_p; w) of a working set with weights a_p and from
/// the largest H_i of all outputs: (largest - s/2)^2 + sum_p a_p (largest - h_p), where s = sum_p
/// a_p. Both terms are 0 at the optimum: s matches the slack, and only maximisers carry weight.
double squared_block_gap(const CornerSet& corners, std::span<const double> h, double largest);

/// The dual of the squared hinge as a function of the weights a_p >= 0 of one block over its
/// working set, all other blocks fixed. With s = sum_p a_p and h_p = H_i(y_p; w), adding t to a_p
///   gains  ( t (h_p - s/2) - t^2/2 (|psi_p|^2/(lambda n) + 1/2) ) / n
///   and changes  h_q  by  -t <psi_q, psi_p>/(lambda n),
/// so that after h is known no update touches features or w. [CY13] Algorithm 1, its C being
/// 1/(lambda n) and its duals ours over lambda n. With weights that must not be negative the gain
/// is piecewise quadratic, and after each update the point is moved and h computed anew.
class SquaredBlockDual {
 public:
  /// `point` is where the blocks stand; it outlives this.
  SquaredBlockDual(DualPoint& point, Index n)
      : point_(point), scale_(point.scale()), n_(static_cast<double>(n)) {}

  /// Starts with the working set of block i at the scores of its parts, corners.ids().
  void start(Oracle& oracle, Index i, CornerSet& corners, std::span<const double> scores);

  int size() const { return corners_->size(); }
  /// The largest h_p; 0 if there is none.
  double best_violation() const {
    return h_.empty() ? 0.0 : *std::max_element(h_.begin(), h_.end());
  }
  /// h_p - s/2: n times the slope of the dual in a_p.
  double excess(int p) const { return h_[static_cast<std::size_t>(p)] - 0.5 * sum_; }
  /// The slope as far as a_p may follow it; all of them are 0 at the maximum.
  double projected_excess(int p) const {
    return corners_->alpha(p) > 0.0 ? excess(p) : std::max(0.0, excess(p));
  }
  /// The block gap g_i, where max_y H_i(y; w) is `largest`.
  double gap(double largest) const { return squared_block_gap(*corners_, h_, largest) / n_; }

  /// The exact maximum over a_p; returns what the dual gained.
  double update(int p);

  /// Whether anything moved since start().
  bool has_moved() const { return has_moved_; }
  /// Moves the point by what moved since start(), which gained `gain`, and tells what that was: as
  /// parts and as n times the change of ell (see dcd.cpp).
  void finish(double gain, Parts& parts, double& loss);

 private:
  double product(int p, int q) { return corners_->product(*oracle_, i_, p, q); }
  double update_constrained(int p);
  double set(int p, double after);  ///< a_p and the books; returns by how much that is more

  DualPoint& point_;
  Direction line_;  ///< of the last update, with a constraint
  double scale_;
  double n_;
  Oracle* oracle_ = nullptr;
  Index i_ = 0;
  CornerSet* corners_ = nullptr;
  std::vector<double> h_;
  std::vector<double> change_;  ///< of a since start()
  double sum_ = 0.0;            ///< s
  double start_sum_ = 0.0;
  bool has_moved_ = false;
  std::vector<double> unit_;  ///< these two only with a constraint
  std::vector<double> scores_;
};

}  // namespace gapwise::internal
