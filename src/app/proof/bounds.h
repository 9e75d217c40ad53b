#pragma once

#include <span>

#include "core/dual_outputs.h"
#include "core/parallel.h"
#include "gapwise/problem.h"
#include "gapwise/progress.h"

namespace gapwise::internal {

/// What is to be bounded: the objective of a training problem.
struct ProofObjective {
  const Problem& problem;
  Objective kind = Objective::kL1;
  double lambda = 0.0;
  std::vector<bool> is_nonnegative;  ///< by weight; empty: none is
};

/// A number as computed, and how far the true one may be from it.
struct Bounded {
  double value = 0.0;
  double error = 0.0;

  double low() const { return value - error; }
  double high() const { return value + error; }
};

/// The primal of w, and the sizes of all blocks for what follows. InputError if the oracle of a
/// block is not exact and has no upper bound, or if an output of `outputs` is more violated than
/// what the oracle finds.
Bounded bound_primal(const ProofObjective& objective, Weights w, const DualOutputs& outputs,
                     const Threads& threads, std::vector<PartSizes>& sizes);

/// The dual of a point, and w(alpha). InputError that names the example if a multiplier is
/// negative, if those of an example do not add up to 1 (l1), or if parts belong to no output.
Bounded bound_dual(const ProofObjective& objective, const DualOutputs& outputs,
                   std::span<const PartSizes> sizes, std::vector<double>& w);

/// |w|.
Bounded bound_length(Weights w);

}  // namespace gapwise::internal
