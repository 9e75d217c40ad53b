#pragma once

#include <vector>

namespace gapwise::internal {

/// Where the curvature of the dual along a line changes: a weight that must not be negative leaves
/// zero (positive change) or arrives there (negative).
struct Bend {
  double gamma = 0.0;
  double curvature_change = 0.0;
};

/// The dual along a line, D(gamma) - D(0) for gamma >= 0: concave with a continuous derivative, and
/// quadratic between two bends. Without weights that must not be negative there are no bends.
struct Ascent {
  double slope = 0.0;       ///< at 0; for a Frank-Wolfe move, g_i
  double curvature = 0.0;   ///< >= 0, from 0 to the first bend
  std::vector<Bend> bends;  ///< ascending, none at 0

  /// What a step of gamma gains, exactly: summed over the pieces it crosses.
  double gain(double gamma) const;
};

/// The maximiser of gain() over [0, largest].
double exact_line_search(const Ascent& line, double largest = 1.0);

}  // namespace gapwise::internal
