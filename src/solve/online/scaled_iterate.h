#pragma once

#include <vector>

#include "gapwise/problem.h"
#include "gapwise/train_options.h"
#include "solve/huge_pages.h"
#include "solve/nonnegative.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// A weight vector w = s v that can be multiplied by a number without touching its d coordinates,
/// and an average of the iterates w_1, w_2, ... that costs no more per step than the step itself.
/// With weight c_t for the iterate after step t and S_t = c_1 s_1 + ... + c_t s_t,
///   sum_t c_t w_t = S_k v_k - u,   where step t adds S_{t-1} (v_t - v_{t-1}) to u.
/// c_t = 1 for the uniform average and for the suffix, which starts anew after 1, 2, 4, 8, ...
/// passes as in averager.h; c_t = t for the weighted one. For w_t = z_t / (lambda t), the closed
/// form of Pegasos, this is z with q (weighted) or r (uniform): S_t is t / lambda or H_t / lambda.
///
/// Numerics: s is kept within [1e-4, 1e4] by folding it into v, which is the only O(d) work and
/// rare: sgd shrinks by so much in many passes. An average is a difference of numbers up to 1e4
/// times larger, so that four of sixteen digits are lost in the worst case.
class ScaledIterate {
 public:
  /// `counts_start`: w_0 = 0 belongs to the average. Every iterate is projected: its weights of
  /// `nonnegative` are 0 where a step has made them negative.
  ScaledIterate(Average kind, Index n, Index dimension, NonnegativeSet nonnegative = {},
                bool counts_start = false);

  /// Begins at w, projected, instead of 0. Before the first step.
  void start_at(Weights w);

  /// w = scale() * direction().
  Weights direction() const { return v_; }
  double scale() const { return s_; }

  /// w *= factor.
  void shrink(double factor);
  /// w = s v for the v of now.
  void set_scale(double s) { s_ = s; }
  /// w += amount * B_i parts. At most once per step.
  void add(Oracle& oracle, Index i, const Parts& parts, double amount);
  /// The iterate is complete: it is projected and enters the average.
  void end_step();

  /// The average, or w itself if there is none.
  void result(std::vector<double>& w) const;

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  bool is_averaged() const { return kind_ != Average::kNone; }
  void fold();
  void project();

  Average kind_;
  NonnegativeSet nonnegative_;
  WeightVector v_;
  double s_ = 1.0;
  WeightVector u_;           ///< only with an average
  double scale_sum_ = 0.0;   ///< S
  double weight_sum_ = 0.0;  ///< of the c_t
  Index steps_ = 0;
  Index next_restart_;
};

}  // namespace gapwise::internal
