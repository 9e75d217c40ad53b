#pragma once

#include <cstdint>
#include <vector>

#include "gapwise/types.h"
#include "solve/huge_pages.h"
#include "solve/nonnegative.h"
#include "solve/planes/simplex_qp.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// A lower model of the mean H of all blocks, m(w) = max_k [b_k - <a_k, w>], made of planes of
/// which the first is 0, and its best w: the minimum of lambda/2 |w|^2 + m(w). By duality
///   w = 1/lambda sum_k x_k a_k,   where x maximises  b'x - 1/(2 lambda) |sum_k x_k a_k|^2
/// over the simplex. If every plane is a mean of psi_i(y_i) and L_i(y_i) over the blocks, or a
/// convex combination of such means, then so is every x, and its value is one of the dual of
/// bcfw.cpp. Planes are kept as sparse vectors: 12 bytes per weight that they touch.
///
/// With weights that must not be negative, w = T(v) for the sum v above (nonnegative.h), and the
/// value of x is b'x - lambda/2 |T(v)|^2: quadratic as long as no weight changes sign. It is
/// maximised by Newton steps: the quadratic for the signs of now gives a direction, along which an
/// exact line search crosses the signs that change. A step costs O(K^2 |P|) for K planes.
class PlaneBundle {
 public:
  /// OptionError if `dimension` is too large for 32 bits. `most` planes besides the first.
  PlaneBundle(Index dimension, double lambda, Index most, NonnegativeSet nonnegative = {});

  Weights w() const { return w_; }
  double dual() const { return dual_; }
  /// m(w) for the w of now.
  double model() const;

  /// Takes in a plane and moves to the best w of all of them, but for `tolerance`. Never lets the
  /// dual fall.
  void add(Weights a, double b, double tolerance);

  Index planes() const { return static_cast<Index>(planes_.size()); }
  Index active() const;
  std::size_t bytes() const;

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  struct Plane {
    std::vector<std::uint32_t> ids;
    std::vector<double> values;
    Index last_used = 0;
  };
  /// Variable k + 1 of the quadratic problem is plane k; variable 0 is the plane 0.
  static int variable(std::size_t k) { return static_cast<int>(k) + 1; }
  double weight(std::size_t k) const { return master_.x(variable(k)); }
  void forget();     ///< planes that have had no weight for a while
  void make_room();  ///< for one more
  void drop(const std::vector<bool>& kept);
  void merge_two_lightest();
  void move_to_optimum();
  void solve_constrained(double tolerance);
  bool newton_step(double tolerance);
  /// What the quadratic problem is as long as no weight of v changes its sign.
  SimplexQp problem_for_signs(const std::vector<double>& h) const;
  /// b_k - <a_k, w> of all planes, the plane 0 first.
  std::vector<double> violations() const;
  /// sum_k x_k a_k / lambda, where x_0 belongs to the plane 0.
  void combine(std::span<const double> x, WeightVector& v) const;

  double lambda_;
  std::size_t most_;
  NonnegativeSet nonnegative_;
  SimplexQp master_;
  std::vector<Plane> planes_;
  WeightVector w_;
  WeightVector v_;  ///< only with a constraint; between calls nobody needs it
  double dual_ = 0.0;
  Index now_ = 0;  ///< planes taken in so far
};

}  // namespace gapwise::internal
