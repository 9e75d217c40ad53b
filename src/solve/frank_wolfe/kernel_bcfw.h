#pragma once

#include <memory>

#include "core/kernel_problem.h"
#include "gapwise/train_options.h"

namespace gapwise::internal {

/// The problem that solver kernel-bcfw trains in place of `problem`; null for all other solvers.
/// OptionError if the problem has no inputs for a kernel.
std::unique_ptr<KernelProblem> make_kernel_problem(const Problem& problem,
                                                   const TrainOptions& options, int threads);

}  // namespace gapwise::internal
