// With very many weights, passes over remembered outputs work on a short copy of w.

#include <gtest/gtest.h>

#include "core/decorated_problem.h"
#include "solve/records/weight_index.h"
#include "solve/training.h"
#include "support/problems.h"
#include "support/run_options.h"
#include "support/stop_after_steps.h"

namespace gapwise::internal {
namespace {

using testing::options_for;

/// A problem with many weights behind its own that no example uses.
class WideProblem final : public DecoratedProblem {
 public:
  explicit WideProblem(const Problem& inner)
      : DecoratedProblem(inner, [](std::unique_ptr<Oracle> oracle) { return oracle; }) {}
  Index dimension() const override { return DecoratedProblem::dimension() + 200'000; }
};

class WeightCopy : public ::testing::Test {
 protected:
  static TrainOptions run(Index threads) {
    TrainOptions options = options_for("auto", Lambda::over_n(0.5));
    options.threads = threads;
    options.relative_gap = 1e-6;
    options.max_passes = 400;
    options.gap_every = 4;
    return options;
  }

  std::unique_ptr<Problem> narrow =
      testing::random_chains({.sequences = 30, .labels = 4, .max_length = 5, .seed = 11}).problem;
  WideProblem wide{*narrow};
};

TEST_F(WeightCopy, LeadsToTheSameOptimum) {
  ASSERT_TRUE(WeightIndex(wide.dimension()).is_compact());
  ASSERT_FALSE(WeightIndex(narrow->dimension()).is_compact());
  const Report in_place = train(*narrow, run(1));
  const Report copied = train(wide, run(1));
  ASSERT_EQ(in_place.reason, StopReason::kConverged);
  ASSERT_EQ(copied.reason, StopReason::kConverged);
  EXPECT_GT(copied.progress.cached_steps, 0);
  EXPECT_TRUE(copied.progress.is_certified);
  EXPECT_NEAR(*copied.progress.primal, *in_place.progress.primal, 2e-6 * *in_place.progress.primal);
}

TEST_F(WeightCopy, DoesNotDependOnTheNumberOfThreads) {
  const Report alone = train(wide, run(1));
  for (const Index threads : {2, 3, 8}) {
    const Report shared = train(wide, run(threads));
    EXPECT_EQ(shared.w, alone.w) << threads;
    EXPECT_EQ(shared.progress.dual, alone.progress.dual) << threads;
  }
}

TEST_F(WeightCopy, GoesOnInTheMiddleBitForBit) {
  Observer nobody;
  const Report whole = train(wide, run(1), nobody);
  for (int steps = 1; steps < 120; steps += 7) {
    testing::StopAfterSteps stopper(steps);
    train(wide, run(2), stopper);
    Training rest(wide, run(3));
    rest.restore(stopper.saved, "checkpoint");
    const Report resumed = rest.run(nobody);
    EXPECT_EQ(resumed.w, whole.w) << steps;
    EXPECT_EQ(resumed.progress.steps, whole.progress.steps) << steps;
    EXPECT_EQ(resumed.progress.primal, whole.progress.primal) << steps;
    EXPECT_EQ(resumed.progress.dual, whole.progress.dual) << steps;
  }
}

}  // namespace
}  // namespace gapwise::internal
