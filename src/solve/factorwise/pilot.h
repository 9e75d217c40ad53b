#pragma once

#include "solve/solver.h"

namespace gapwise::internal {

/// The rho with which gdmm comes nearest on a sample of the examples, judged by the certified gap
/// of the relaxed problem. No single value fits all problems. Every value of a scale makes some
/// passes; the worse half is left, and the rest goes on. The work counts as calls of the team's
/// leader.
double pilot_rho(const RunContext& context);

}  // namespace gapwise::internal
