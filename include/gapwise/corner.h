#pragma once

#include <optional>

#include "gapwise/parts.h"
#include "gapwise/types.h"

namespace gapwise {

/// Whether a decode adds the loss of each output to its score.
enum class Augment { kLoss, kNone };

/// One output y of block i as a vertex of the block's simplex, in the units of the data: an oracle
/// never learns lambda or n.
struct Corner {
  Parts parts;        ///< m(y_i) - m(y); empty for the truth
  double loss = 0.0;  ///< L_i(y) >= 0, and 0 for the truth
  /// For oracles that are not exact: a number known to be at least max_y H_i(y; w). Without it
  /// whatever is computed from an inexact corner is an estimate.
  std::optional<double> upper_bound;
  bool is_exact = true;  ///< nothing is more violated

  void set_truth() {  ///< back to the truth, whose loss is 0
    parts.clear();
    loss = 0.0;
    upper_bound.reset();
    is_exact = true;
  }
};

/// H_i(y; w) = L_i(y) - <w, psi_i(y)> from the scores theta = B_i' w of the block.
inline double violation(double loss, const Parts& parts, const PartScores& theta) {
  return loss - parts.dot(theta.values());
}

/// How large the parts of a block are, for bounds of rounding errors (docs/design/proof.md).
struct PartSizes {
  double length = 0.0;   ///< at least |B_i e_r| for every part r
  double count = 0.0;    ///< at least the sum of |m_r(y_i) - m_r(y)| for every output y
  double terms = 0.0;    ///< at least how many weights the score of a part is made of
  double repeats = 1.0;  ///< at least how often one weight is among them
};

}  // namespace gapwise
