// A step that is given up in the middle of an oracle call leaves no trace: whatever the solver, the
// run stands where it stood at an earlier step, and resumed from there it ends as if nothing had
// been.

#include <gtest/gtest.h>

#include "core/decorated_problem.h"
#include "core/forwarding_oracle.h"
#include "core/stop.h"
#include "solve/training.h"
#include "support/graph_problem.h"
#include "support/problems.h"
#include "support/refusals.h"
#include "support/stop_after_steps.h"

namespace gapwise::internal {
namespace {

/// Raises a flag in the middle of one of its calls.
struct Alarm {
  void ring_if_due() {
    if (--calls_left == 0) flag = true;
    give_up_if_asked();
  }
  std::atomic<Index> calls_left{0};
  std::atomic<bool> flag{false};
  bool hears_scores = false;  ///< scores count as calls, too
};

/// Every call does half of its work before the alarm may ring: what it wrote must not matter.
class AlarmedOracle final : public ForwardingOracle {
 public:
  AlarmedOracle(std::unique_ptr<Oracle> inner, Alarm& alarm)
      : ForwardingOracle(std::move(inner)), alarm_(alarm) {}

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    ForwardingOracle::decode(i, theta, augment, out);
    alarm_.ring_if_due();
  }
  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    ForwardingOracle::argmax(i, w, theta, out);
    alarm_.ring_if_due();
  }
  void score(Index i, Weights w, PartScores& theta) override {
    ForwardingOracle::score(i, w, theta);
    if (alarm_.hears_scores) alarm_.ring_if_due();
  }
  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    ForwardingOracle::score_some(i, w, ids, out);
    if (alarm_.hears_scores) alarm_.ring_if_due();
  }
  double expect(Index i, const PartScores& logits, Parts& mean) override {
    const double log_sum = ForwardingOracle::expect(i, logits, mean);
    alarm_.ring_if_due();
    return log_sum;
  }
  void project(Index i, const Parts& from, const PartScores& step, Parts& to) override {
    ForwardingOracle::project(i, from, step, to);
    alarm_.ring_if_due();
  }

 private:
  Alarm& alarm_;
};

class AlarmedProblem final : public DecoratedProblem {
 public:
  AlarmedProblem(const Problem& inner, Alarm& alarm)
      : DecoratedProblem(inner, [&alarm](std::unique_ptr<Oracle> oracle) {
          return std::make_unique<AlarmedOracle>(std::move(oracle), alarm);
        }) {}
};

TrainOptions options_of(std::string_view solver, Index threads) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = Lambda::over_n(0.5);
  options.threads = threads;
  if (solver_info(solver).has_dual) options.relative_gap = 1e-9;
  options.max_passes = 9;
  options.gap_every = 3;
  return options;
}

struct Stopped {
  Report report;
  std::string state;
  bool went_back;
  Index steps;  ///< that were begun
};

/// A run that is asked to stop in the middle of its call number `call` of the oracle.
Stopped stop_inside(const Problem& problem, const TrainOptions& options, Index call) {
  Alarm alarm;
  alarm.calls_left = call;
  alarm.hears_scores = testing::is_factorwise(options.solver);
  const AlarmedProblem alarmed(problem, alarm);
  testing::StopAfterSteps observer(1'000'000);
  Training training(alarmed, options);
  Report report = training.run(observer, {.flag = &alarm.flag, .patience = 0.0});
  return {std::move(report), observer.saved, training.went_back(), training.restore_points()};
}

void expect_no_trace(const Problem& problem, const TrainOptions& options, const Report& whole,
                     Index call) {
  const std::string what = options.solver + ", call " + std::to_string(call);
  const Stopped stopped = stop_inside(problem, options, call);
  ASSERT_EQ(stopped.report.reason, StopReason::kInterrupted) << what;
  EXPECT_TRUE(stopped.went_back) << what;
  EXPECT_LT(stopped.report.progress.oracle_calls, call) << what;
  testing::StopAfterSteps before(static_cast<int>(stopped.steps - 1));
  const Report there = train(problem, options, before);
  EXPECT_EQ(stopped.report.progress.steps, there.progress.steps) << what;

  Training rest(problem, options);
  rest.restore(stopped.state, "checkpoint");
  std::vector<double> w;
  rest.weights(w);
  EXPECT_EQ(w, stopped.report.w) << what;
  Observer nobody;
  const Report resumed = rest.run(nobody);
  EXPECT_EQ(resumed.w, whole.w) << what;
  EXPECT_EQ(resumed.reason, whole.reason) << what;
  EXPECT_EQ(resumed.progress.oracle_calls, whole.progress.oracle_calls) << what;
  EXPECT_EQ(resumed.progress.primal, whole.progress.primal) << what;
  EXPECT_EQ(resumed.progress.dual, whole.progress.dual) << what;
}

TEST(StopLaws, AStepThatIsGivenUpLeavesNoTrace) {
  const auto problem =
      testing::random_chains({.sequences = 12, .labels = 4, .max_length = 5, .seed = 3}).problem;
  for (const SolverInfo& solver : solvers()) {
    if (testing::may_refuse(solver.name, *problem)) continue;
    for (const Index threads : {1, 2}) {
      const TrainOptions options = options_of(solver.name, threads);
      const Report whole = train(*problem, options);
      ASSERT_GT(whole.progress.oracle_calls, 61) << solver.name;
      for (const Index call : {1, 2, 13, 30, 61}) expect_no_trace(*problem, options, whole, call);
    }
  }
}

/// Among a few examples that are asked about at once.
TEST(StopLaws, ABatchThatIsGivenUpLeavesNoTrace) {
  const auto cheap =
      testing::random_chains({.sequences = 12, .labels = 4, .max_length = 5, .seed = 3}).problem;
  const DecoratedProblem dear(
      *cheap, [](std::unique_ptr<Oracle> inner) { return inner; }, 1e4);
  for (const Index threads : {1, 2}) {
    const TrainOptions options = options_of("auto", threads);
    const Report whole = train(dear, options);
    for (const Index call : {1, 2, 3, 13, 30, 60}) expect_no_trace(dear, options, whole, call);
  }
}

/// Those that never ask for an output are stopped between two factors, in the pilot as well.
TEST(StopLaws, ASweepThatIsGivenUpLeavesNoTrace) {
  const auto problem = testing::random_graphs({.variables = 3, .most_states = 3, .seed = 3});
  for (const std::string_view solver : {"soft-bcfw", "gdmm"}) {
    const TrainOptions options = options_of(solver, 1);
    const Report whole = train(*problem, options);
    for (const Index call : {2, 13, 100, 200}) expect_no_trace(*problem, options, whole, call);
  }
  for (const std::string_view solver : {"dlpw", "smooth-dlpw"}) {  // they ask once in a visit
    const TrainOptions options = options_of(solver, 1);
    const Report whole = train(*problem, options);
    for (const Index call : {2, 13, 40}) expect_no_trace(*problem, options, whole, call);
  }
}

TEST(StopLaws, ShortStepsAreLetEnd) {
  const auto problem = testing::random_chains({.sequences = 12, .labels = 4, .seed = 3}).problem;
  Alarm alarm;
  alarm.calls_left = 7;
  const AlarmedProblem alarmed(*problem, alarm);
  testing::StopAfterSteps observer(1'000'000);
  Training training(alarmed, options_of("bcfw", 1));
  const Report report = training.run(observer, {.flag = &alarm.flag});
  EXPECT_FALSE(training.went_back());
  EXPECT_GE(report.progress.oracle_calls, 7);
}

}  // namespace
}  // namespace gapwise::internal
