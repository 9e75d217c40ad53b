#pragma once

#include <string>

#include "gapwise/examples.h"
#include "gapwise/model.h"

namespace gapwise {

/// What a proof shows of a model. All numbers allow for rounding errors; docs/design/proof.md
/// derives them.
struct Verification {
  double lower = 0.0;     ///< the optimum of the objective is at least this,
  double upper = 0.0;     ///< and the primal of the model, hence the optimum, at most this
  double rounding = 0.0;  ///< how much of the width of the interval is owed to rounding
  double claimed = 0.0;   ///< the gap that the model claims
  bool holds = false;     ///< the interval is no wider than that
  double distance = 0.0;  ///< |w(alpha) - w| / |w|, of the dual point and of the model
  Index outputs = 0;      ///< that carry weight, of all examples together

  double gap() const { return upper - lower; }  ///< what is proven
};

/// How much wider than claimed a proven gap may be, as a share of the primal: claims are made
/// without regard to rounding.
inline constexpr double kProofTolerance = 1e-6;

/// Checks the proof of a model against the examples it was trained on, read with the same options,
/// without any code of the solvers. InputError that says what differs if the proof is damaged or
/// belongs to another model or to other data, or if it is none: multipliers that are negative or
/// add up to more than 1, parts that no output has.
Verification verify(const Model& model, const std::string& proof, const Examples& examples,
                    ThreadCount threads = {});

}  // namespace gapwise
