// Kernelised block-coordinate Frank-Wolfe, [LJSP13] appendix B.5: Algorithm 4 on the dual alone,
//
//   w = sum_s sum_k b_s(k) (feature of input s with label k) + rest,   b = u_i / (lambda n) on
//   block i
//
// with block states u_i as in bcfw.cpp, which are the residuals of the parts ([q in y_i] - sum_y
// alpha_i(y) [q in y] for part q). It is bcfw itself: a KernelProblem puts scores and coefficients
// of the inputs in the place of w, so that the steps, gaps and certificates are those of bcfw.cpp
// line by line. We depart from the paper in keeping the scores of *all* inputs up to date instead
// of summing kernels for the block at hand: a step that moves nothing and a gap pass are then free
// of kernel values, and so are most steps late in a run.

#include "solve/frank_wolfe/kernel_bcfw.h"

namespace gapwise::internal {

std::unique_ptr<KernelProblem> make_kernel_problem(const Problem& problem,
                                                   const TrainOptions& options, int threads) {
  if (options.solver != "kernel-bcfw") return nullptr;
  KernelSettings settings;
  settings.kind = options.kernel;
  settings.degree = options.kernel_degree;
  settings.gamma = options.kernel_gamma;
  settings.offset = options.kernel_offset;
  settings.cache_bytes = static_cast<std::size_t>(options.kernel_cache_mb) << 20;
  settings.threads = threads;
  return std::make_unique<KernelProblem>(problem, settings);
}

}  // namespace gapwise::internal
