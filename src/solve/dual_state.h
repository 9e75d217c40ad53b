#pragma once

#include <functional>
#include <vector>

#include "gapwise/problem.h"
#include "solve/huge_pages.h"
#include "solve/nonnegative.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// Where block i stands: a convex combination of corners, as one (parts, loss) relative to the
/// truth. Never scaled by lambda.
struct BlockState {
  Parts parts;
  double loss = 0.0;
};

/// A candidate move of one block: to go along it by gamma adds gamma * parts and gamma * loss to
/// the block and gains gain(gamma) in the dual.
struct Direction : Ascent {
  Parts parts;
  double loss = 0.0;
};

double squared_norm(Weights w);

/// The dual along a change of w and of ell, from w.
Ascent ascent(Weights w, Weights change, double ell_change, double lambda);

/// The shared part of every dual iterate, in the sense of [LJSP13] eq. (4):
///   D = ell - lambda/2 |w|^2,  w = T(v),  v = sum_i B_i u_i / (lambda n),  ell = sum_i loss_i / n
/// for block states (u_i, loss_i), which their owner keeps. T truncates the weights that must not
/// be negative (nonnegative.h); if there are none, w and v are one. Starts at the truth of every
/// block: w = 0, D = 0.
class DualPoint {
 public:
  DualPoint(Index n, Index dimension, double lambda, NonnegativeSet nonnegative = {});

  Weights w() const { return is_constrained() ? w_ : v_; }
  /// What the blocks add up to; averages are taken of it.
  Weights v() const { return v_; }
  bool is_constrained() const { return !nonnegative_.is_empty(); }
  /// T(v), in place.
  void truncate(MutableWeights v) const { nonnegative_.truncate(v, v); }
  double ell() const { return ell_; }
  double dual() const { return dual_; }
  double lambda() const { return lambda_; }
  double n() const { return n_; }  ///< how many blocks
  /// 1 / (lambda n): what a unit of B_i u_i is worth in v.
  double scale() const { return 1.0 / (lambda_ * n_); }

  /// Block i moved by factor * parts and its loss by factor * loss, which gained `gain`.
  void apply(Oracle& oracle, Index i, const Parts& parts, double loss, double factor, double gain) {
    oracle.scatter(i, parts, factor * scale(), v_);
    if (is_constrained()) {
      oracle.scatter(i, parts, factor * scale(), w_);
      nonnegative_.truncate(v_, w_);
    }
    ell_ += factor * loss / n_;
    dual_ += gain;
  }

  /// v itself, for who steps without an oracle and tells what a step did to ell and gained. Only
  /// without a constraint.
  MutableWeights steppable_v() { return v_; }
  void stepped(double ell_change, double gain) {
    ell_ += ell_change;
    dual_ += gain;
  }

  /// The dual along a dense change of v and a change of ell.
  Ascent along(Weights change, double ell_change, double largest) const;
  /// Moves by a dense change of v and a change of ell.
  void shift(Weights change, double ell_change);

  /// Completes the line of a direction of block i, whose curvature knows no constraint yet.
  void bend(Oracle& oracle, Index i, double largest, Direction& direction) {
    if (is_constrained()) find_bends(oracle, i, largest, direction);
  }

  /// Computes everything anew from the block states, which removes the drift of many steps:
  /// state_of(i) gives block i.
  void rebuild(Oracle& oracle, const std::function<const BlockState&(Index i)>& state_of);

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  void find_bends(Oracle& oracle, Index i, double largest, Direction& direction);
  /// w from v, anew.
  void update_w();

  double n_;
  double lambda_;
  NonnegativeSet nonnegative_;
  WeightVector v_;
  WeightVector w_;               ///< only with a constraint
  std::vector<double> scratch_;  ///< likewise; zero at the weights that must not be negative
  double ell_ = 0.0;
  double dual_ = 0.0;
};

/// A dual point with its block states.
class DualState {
 public:
  DualState(Index n, Index dimension, double lambda, NonnegativeSet nonnegative = {})
      : point_(n, dimension, lambda, std::move(nonnegative)),
        blocks_(static_cast<std::size_t>(n)) {}

  const DualPoint& point() const { return point_; }
  Index num_blocks() const { return static_cast<Index>(blocks_.size()); }
  const BlockState& block(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }

  /// sum_y alpha_i(y) H_i(y; w) from the block's own scores: n g_i below the largest H_i.
  double block_violation(Index i, const PartScores& theta) const;

  /// The Frank-Wolfe direction of block i from where it stands to `corner`.
  void toward(Oracle& oracle, Index i, const PartScores& theta, const Corner& corner,
              Direction& out);

  /// Follows the direction by gamma.
  void move(Oracle& oracle, Index i, const Direction& direction, double gamma);

  /// Puts block i somewhere else to start from; call `rebuild` when all are there.
  void put(Index i, const Parts& parts, double loss) {
    blocks_[static_cast<std::size_t>(i)] = {parts, loss};
  }

  void rebuild(Oracle& oracle) {
    point_.rebuild(oracle, [this](Index i) -> const BlockState& { return block(i); });
  }

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  DualPoint point_;
  std::vector<BlockState> blocks_;
  Parts scratch_;
};

}  // namespace gapwise::internal
