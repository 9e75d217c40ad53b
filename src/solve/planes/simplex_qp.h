#pragma once

#include <span>
#include <vector>

#include "solve/state_archive.h"

namespace gapwise::internal {

/// max over the simplex of  b'x - 1/2 x'Qx,  Q symmetric and positive semidefinite, dense and
/// small: the master problem of the cutting-plane methods. An active-set method that keeps its
/// point between solves: a coordinate outside the support enters by the best pair step (SDA-WSS2,
/// as in block_dual.h), and on the support Newton steps go to the optimum of the face or to its
/// border. Every step is an exact line search, so the value never falls. Q may be singular.
class SimplexQp {
 public:
  int size() const { return static_cast<int>(b_.size()); }
  double x(int p) const { return x_[at(p)]; }
  std::span<const double> x() const { return x_; }
  double linear(int p) const { return b_[at(p)]; }
  double product(int p, int q) const { return q_[slot(p, q)]; }
  /// b_p - (Qx)_p, as of the last solve or change.
  double gradient(int p) const { return gradient_[at(p)]; }
  double value() const;

  /// A new coordinate, last, with its row of Q up to and including the diagonal. It starts at 0,
  /// the first one of all at 1.
  void append(double b, std::span<const double> products);
  /// Takes out coordinates at 0.
  void keep(const std::vector<bool>& kept);
  /// Moves to another point of the simplex.
  void put(std::span<const double> x);
  /// Puts the mean of p and q, weighted by x, in the place of p, and takes out q; the value stays.
  void merge(int p, int q);

  /// Until no gradient is larger than the smallest one of the support by more than `tolerance`,
  /// which bounds what is missing to the optimum, or until rounding lets no step gain any more.
  void solve(double tolerance);

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  static std::size_t at(int p) { return static_cast<std::size_t>(p); }
  static std::size_t slot(int p, int q);
  int best() const;            ///< argmax of the gradient
  double spread(int s) const;  ///< gradient of s minus the smallest one of the support
  void refresh();              ///< sum 1, gradient anew
  bool pair_step(int s);       ///< these two tell whether they gained
  bool face_step();
  void find_face_direction();
  void follow(double gamma);

  std::vector<double> b_;
  std::vector<double> x_;
  std::vector<double> gradient_;
  std::vector<double> q_;          ///< lower triangle, row after row
  std::vector<int> face_;          ///< the support, its heaviest coordinate last
  std::vector<double> direction_;  ///< over face_; sums to 0
  std::vector<double> factor_;
};

}  // namespace gapwise::internal
