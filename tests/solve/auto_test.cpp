// The rounds of auto, as its calls of the oracle show them; and fields of checkpoints.

#include <gtest/gtest.h>

#include "solve/frank_wolfe/round_choice.h"
#include "solve/frank_wolfe/shuffled_blocks.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;

std::unique_ptr<Problem> chains(int sequences = 30) {
  return testing::random_chains({.sequences = sequences, .labels = 4, .max_length = 5, .seed = 11})
      .problem;
}

TrainOptions options_for_auto() {
  TrainOptions options;
  options.lambda = {0.3, true};
  options.threads = 1;
  return options;
}

/// To the end of the round; returns the calls of the oracle.
Index finish_round(SolverBench& bench) {
  const Index before = bench.team.calls();
  while (!bench.solver->step()) {
  }
  return bench.team.calls() - before;
}

TEST(Auto, AProbeBetweenRoundsTakesThePlaceOfAnExactPass) {
  const auto problem = chains();
  SolverBench bench(*problem, options_for_auto());
  int exact_rounds = 0;
  while (!bench.solver->measures_for_free()) {  // it wants no probe yet
    EXPECT_EQ(finish_round(bench), problem->num_blocks());
    EXPECT_EQ(bench.solver->decision().rfind("exact pass", 0), 0U);
    ASSERT_LT(++exact_rounds, 50);
  }
  EXPECT_GE(exact_rounds, 3);
  bench.solver->gap_pass();
  EXPECT_EQ(finish_round(bench), 0);
  EXPECT_EQ(bench.solver->decision().rfind("probe", 0), 0U);
  EXPECT_EQ(finish_round(bench), problem->num_blocks()) << "only that round";
}

TEST(Auto, AGapPassWithinACachedPassOpensNoRound) {
  const auto problem = chains(600);  // more than a step visits
  SolverBench bench(*problem, options_for_auto());
  while (bench.solver->cached_steps() < 3) ASSERT_FALSE(bench.solver->step());
  bench.solver->gap_pass();
  EXPECT_EQ(finish_round(bench), 0);
  EXPECT_EQ(bench.solver->decision().rfind("exact pass", 0), 0U);
  EXPECT_EQ(finish_round(bench), problem->num_blocks());
}

TEST(Auto, WithAnAverageAGapPassOnlyLooks) {
  const auto problem = chains();
  TrainOptions options = options_for_auto();
  options.average = Average::kWeighted;
  SolverBench bench(*problem, options);
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(finish_round(bench), problem->num_blocks());
    bench.solver->gap_pass();
    EXPECT_FALSE(bench.solver->measures_for_free());
  }
}

TEST(ShuffledBlocks, RefuseAnOrderOfOtherData) {
  Rng rng(1);
  ShuffledBlocks five(5);
  five.begin(rng, [](Index) { return true; });
  StateWriter out;
  five.save(out);
  ShuffledBlocks four(4);
  const auto problem = testing::golden_g1();
  StateReader in(out.bytes(), "here", *problem);
  EXPECT_THROW(four.load(in), InputError);
}

}  // namespace
}  // namespace gapwise::internal
