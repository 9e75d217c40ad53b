#pragma once

#include <memory>
#include <vector>

#include "solve/frank_wolfe/kernel_bcfw.h"
#include "solve/solver.h"
#include "support/run_options.h"

namespace gapwise::internal::testing {

/// A solver taken out of its run, to be stepped by hand.
struct SolverBench {
  SolverBench(const Problem& given, const TrainOptions& with)
      : options(with),
        kernel(make_kernel_problem(given, options, 1)),
        problem(kernel ? *kernel : given),
        team(problem, 1),
        rng(with.seed),
        solver(
            make_solver({problem, options, with.lambda.resolve(problem.num_blocks()), team, rng})) {
  }

  std::vector<double> w() const {
    std::vector<double> result;
    solver->result(result);
    return result;
  }

  TrainOptions options;
  std::unique_ptr<KernelProblem> kernel;  ///< if the solver trains a kernel form
  const Problem& problem;                 ///< what the solver trains
  OracleTeam team;
  Rng rng;
  std::unique_ptr<Solver> solver;
};

}  // namespace gapwise::internal::testing
