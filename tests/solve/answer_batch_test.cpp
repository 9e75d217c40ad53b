// Dear oracles are asked about a few examples at one w: by auto, on all threads.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/decorated_problem.h"
#include "solve/frank_wolfe/exact_batch.h"
#include "solve/training.h"
#include "support/problems.h"
#include "support/solver_bench.h"
#include "support/stop_after_steps.h"

namespace gapwise::internal {
namespace {

using testing::options_for;
using testing::SolverBench;

/// Chains whose oracle says that a call costs `extra` more than it does.
class AnswerBatch : public ::testing::Test {
 protected:
  TrainOptions run(Index threads) const {
    TrainOptions options = options_for("auto", Lambda::over_n(0.5));
    options.threads = threads;
    options.relative_gap = 1e-6;
    options.max_passes = 400;
    options.gap_every = 4;
    return options;
  }

  std::unique_ptr<Problem> cheap =
      testing::random_chains({.sequences = 30, .labels = 4, .max_length = 5, .seed = 11}).problem;
  DecoratedProblem dear{*cheap, [](std::unique_ptr<Oracle> inner) { return inner; }, 1e4};
};

TEST_F(AnswerBatch, IsOneExampleUnlessTheOracleIsDear) {
  EXPECT_EQ(exact_batch(*cheap), 1);
  EXPECT_EQ(exact_batch(dear), 4);
}

TEST_F(AnswerBatch, IsAMultipleOfEightWhereMachinesMayShareIt) {
  for (const auto& [sequences, batch] :
       {std::pair(30, 4), {159, 4}, {160, 8}, {626, 16}, {3000, 64}}) {
    const auto chains =
        testing::random_chains({.sequences = sequences, .labels = 2, .max_length = 1, .seed = 1});
    const DecoratedProblem very_dear(
        *chains.problem, [](std::unique_ptr<Oracle> inner) { return inner; }, 1e5);
    EXPECT_EQ(exact_batch(very_dear), batch) << sequences;
  }
}

TEST_F(AnswerBatch, AsksAboutEachExampleOfAPassOnceAndCutsTheLastBatch) {
  SolverBench bench(dear, run(1));
  std::vector<Index> calls;  // after each visit of the first pass
  while (!bench.solver->step()) calls.push_back(bench.team.calls());
  ASSERT_GE(calls.size(), 29U);
  for (std::size_t k = 0; k < 29; ++k) {
    EXPECT_EQ(calls[k], std::min<Index>(30, 4 * (static_cast<Index>(k) / 4 + 1))) << k;
  }
  EXPECT_EQ(bench.team.calls(), 30);
}

TEST_F(AnswerBatch, LeadsToTheSameOptimum) {
  const Report alone = train(*cheap, run(1));
  const Report together = train(dear, run(1));
  ASSERT_EQ(alone.reason, StopReason::kConverged);
  ASSERT_EQ(together.reason, StopReason::kConverged);
  EXPECT_TRUE(together.progress.is_certified);
  EXPECT_NEAR(*together.progress.primal, *alone.progress.primal, 2e-6 * *alone.progress.primal);
}

TEST_F(AnswerBatch, DoesNotDependOnTheNumberOfThreads) {
  const Report alone = train(dear, run(1));
  for (const Index threads : {2, 3, 8}) {
    const Report shared = train(dear, run(threads));
    EXPECT_EQ(shared.w, alone.w) << threads;
    EXPECT_EQ(shared.progress.oracle_calls, alone.progress.oracle_calls) << threads;
    EXPECT_EQ(shared.progress.primal, alone.progress.primal) << threads;
    EXPECT_EQ(shared.progress.dual, alone.progress.dual) << threads;
  }
}

TEST_F(AnswerBatch, GoesOnInTheMiddleBitForBit) {
  Observer nobody;
  const Report whole = train(dear, run(1), nobody);
  for (const int steps : {1, 2, 3, 4, 5, 29, 30, 31, 77}) {
    testing::StopAfterSteps stopper(steps);
    train(dear, run(2), stopper);
    Training rest(dear, run(3));
    rest.restore(stopper.saved, "checkpoint");
    const Report resumed = rest.run(nobody);
    EXPECT_EQ(resumed.w, whole.w) << steps;
    EXPECT_EQ(resumed.progress.oracle_calls, whole.progress.oracle_calls) << steps;
    EXPECT_EQ(resumed.progress.primal, whole.progress.primal) << steps;
    EXPECT_EQ(resumed.progress.dual, whole.progress.dual) << steps;
  }
}

}  // namespace
}  // namespace gapwise::internal
