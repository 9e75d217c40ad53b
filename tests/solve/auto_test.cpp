// The rounds of auto, as its calls of the oracle show them; and fields of checkpoints.

#include <gtest/gtest.h>

#include "core/fields.h"
#include "solve/frank_wolfe/round_choice.h"
#include "solve/frank_wolfe/shuffled_blocks.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;

std::unique_ptr<Problem> chains() {
  return testing::random_chains({.sequences = 30, .labels = 4, .max_length = 5, .seed = 11})
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
  const auto problem = chains();
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

TEST(Fields, AreReadAsTheyWereWrittenAndRefusedWhenDamaged) {
  ByteWriter out;
  FieldWriter write(out);
  const std::vector<double> numbers{1.5, -2.0};
  write(true, std::int32_t{-7}, Index{1} << 40, 0.25, numbers, std::vector<Index>{3},
        std::optional<double>(), std::optional<double>(4.0), Round::kProbe);
  bool flag = false;
  std::int32_t small = 0;
  Index large = 0;
  double number = 0.0;
  std::vector<double> found(2);
  std::vector<Index> ids;
  std::optional<double> nothing = 1.0;
  std::optional<double> something;
  Round round = Round::kExact;
  ByteReader in(out.bytes(), "here");
  FieldReader read(in);
  read(flag, small, large, number, std::span(found), ids, nothing, something, round);
  in.expect_end();
  EXPECT_TRUE(flag);
  EXPECT_EQ(small, -7);
  EXPECT_EQ(large, Index{1} << 40);
  EXPECT_EQ(number, 0.25);
  EXPECT_EQ(found, numbers);
  EXPECT_EQ(ids, std::vector<Index>{3});
  EXPECT_FALSE(nothing);
  EXPECT_EQ(something, 4.0);
  EXPECT_EQ(round, Round::kProbe);

  const std::string no_round(1, '\x02');
  ByteReader damaged(no_round, "here");
  EXPECT_THROW(FieldReader{damaged}(round), InputError);
}

TEST(ShuffledBlocks, RefuseAnOrderOfOtherData) {
  Rng rng(1);
  ShuffledBlocks five(5);
  five.begin(rng);
  ByteWriter out;
  five.save(out);
  ShuffledBlocks four(4);
  ByteReader in(out.bytes(), "here");
  EXPECT_THROW(four.load(in), InputError);
}

}  // namespace
}  // namespace gapwise::internal
