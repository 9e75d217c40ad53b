#pragma once

#include <memory>
#include <vector>

#include "solve/solver.h"

namespace gapwise::testing {

/// A solver taken out of its run, to be stepped by hand.
struct SolverBench {
  SolverBench(const Problem& problem, const TrainOptions& with)
      : options(with),
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
  OracleTeam team;
  Rng rng;
  std::unique_ptr<Solver> solver;
};

}  // namespace gapwise::testing
