// Runs that several ranks make together are those that one makes alone.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "core/decorated_problem.h"
#include "core/forwarding_oracle.h"
#include "solve/training.h"
#include "support/problems.h"
#include "support/solver_bench.h"
#include "support/stop_after_steps.h"
#include "support/thread_ranks.h"

namespace gapwise::internal {
namespace {

using testing::message_of;
using testing::options_for;
using testing::ThreadRanks;

/// An oracle that calls `before` before every call.
class WatchedOracle final : public ForwardingOracle {
 public:
  using Before = std::function<void(Index)>;
  WatchedOracle(std::unique_ptr<Oracle> inner, Before before)
      : ForwardingOracle(std::move(inner)), before_(std::move(before)) {}
  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    before_(i);
    ForwardingOracle::argmax(i, w, theta, out);
  }

 private:
  Before before_;
};

class RanksTraining : public ::testing::Test {
 protected:
  static TrainOptions options(const std::string& solver, Index threads = 1) {
    TrainOptions options = options_for(solver, Lambda::over_n(0.5));
    options.threads = threads;
    if (solver_info(solver).has_dual) options.relative_gap = 1e-4;
    options.max_passes = 25;
    options.gap_every = 3;
    return options;
  }

  std::unique_ptr<Problem> watched(WatchedOracle::Before before) const {
    return std::make_unique<DecoratedProblem>(
        *cheap,
        [before](std::unique_ptr<Oracle> inner) {
          return std::make_unique<WatchedOracle>(std::move(inner), before);
        },
        1e4);
  }

  /// The reports of all ranks, which must be that of `alone`.
  static void expect_same(const Problem& problem, const TrainOptions& options, int ranks,
                          const Report& alone) {
    std::atomic<int> seen = 0;
    const auto thrown = ThreadRanks(ranks).run([&](Ranks& job) {
      Observer nobody;
      const Report report = Training(problem, options, &job).run(nobody);
      EXPECT_EQ(report.w, alone.w);
      EXPECT_EQ(report.progress.oracle_calls, alone.progress.oracle_calls);
      EXPECT_EQ(report.progress.steps, alone.progress.steps);
      EXPECT_EQ(report.progress.primal, alone.progress.primal);
      EXPECT_EQ(report.progress.dual, alone.progress.dual);
      EXPECT_EQ(report.reason, alone.reason);
      ++seen;
    });
    for (const auto& one : thrown) EXPECT_EQ(message_of(one), "");
    EXPECT_EQ(seen, ranks);
  }

  std::unique_ptr<Problem> cheap =
      testing::random_chains({.sequences = 30, .labels = 4, .max_length = 5, .seed = 11}).problem;
  DecoratedProblem dear{*cheap, [](std::unique_ptr<Oracle> inner) { return inner; }, 1e4};
};

TEST_F(RanksTraining, EverySolverMakesTheRunThatOneRankMakes) {
  for (const SolverInfo& solver : solvers()) {
    SCOPED_TRACE(solver.name);
    const bool fits = std::all_of(solver.needs.begin(), solver.needs.end(),
                                  [&](Capability need) { return offers(dear, need); });
    if (!fits) continue;
    const Report alone = train(dear, options(std::string(solver.name)));
    expect_same(dear, options(std::string(solver.name)), 3, alone);
  }
}

TEST_F(RanksTraining, AnyNumberOfRanksAndThreadsMakesTheSameRun) {
  const Report alone = train(dear, options("auto"));
  ASSERT_GT(alone.progress.passes, 3);
  for (const int ranks : {2, 3, 5}) {
    for (const Index threads : {1, 2}) expect_same(dear, options("auto", threads), ranks, alone);
  }
}

TEST_F(RanksTraining, ShareTheCallsOfTheOracle) {
  std::mutex mutex;
  std::map<std::thread::id, int> calls;
  const auto slow = watched([&](Index) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    ++calls[std::this_thread::get_id()];
  });
  ThreadRanks(3).run([&](Ranks& job) {
    Observer nobody;
    Training(*slow, options("fw"), &job).run(nobody);
  });
  ASSERT_EQ(calls.size(), 3U);
  int sum = 0;
  for (const auto& [thread, count] : calls) sum += count;
  for (const auto& [thread, count] : calls) EXPECT_GT(count, sum / 6);
}

TEST_F(RanksTraining, AnOracleThatFailsEndsAllRanksWithTheSameMessage) {
  const auto broken = watched([calls = std::make_shared<std::atomic<int>>(0)](Index i) {
    if (++*calls > 200 && i == 17) throw OracleError("example 17: no answer");
  });
  const auto thrown = ThreadRanks(3).run([&](Ranks& job) {
    Observer nobody;
    Training(*broken, options("auto"), &job).run(nobody);
  });
  for (const auto& one : thrown) {
    EXPECT_EQ(message_of(one), "example 17: no answer");
    EXPECT_THROW(std::rethrow_exception(one), OracleError);
  }
}

TEST_F(RanksTraining, OtherDataOnOneRankIsFoundOut) {
  const auto other =
      testing::random_chains({.sequences = 30, .labels = 4, .max_length = 5, .seed = 12}).problem;
  const auto thrown = ThreadRanks(2).run([&](Ranks& job) {
    Observer nobody;
    Training(job.leads() ? *cheap : *other, options("bcfw"), &job).run(nobody);
  });
  for (const auto& one : thrown) {
    EXPECT_NE(message_of(one).find("come to different numbers"), std::string::npos)
        << message_of(one);
  }
}

TEST_F(RanksTraining, AnInterruptedRunGoesOnWithAnotherNumberOfRanks) {
  const Report alone = train(dear, options("auto"));
  testing::StopAfterSteps keeper(4);  // of rank 0, which is asked when the ranks meet
  ThreadRanks(2).run([&](Ranks& job) {
    Observer nobody;
    Observer& observer = job.leads() ? static_cast<Observer&>(keeper) : nobody;
    EXPECT_EQ(Training(dear, options("auto"), &job).run(observer).reason, StopReason::kInterrupted);
  });
  ASSERT_FALSE(keeper.saved.empty());
  for (const int ranks : {1, 4}) {
    ThreadRanks(ranks).run([&](Ranks& job) {
      Observer nobody;
      Training training(dear, options("auto"), &job);
      training.restore(keeper.saved, "state");
      const Report report = training.run(nobody);
      EXPECT_EQ(report.w, alone.w);
      EXPECT_EQ(report.progress.oracle_calls, alone.progress.oracle_calls);
    });
  }
}

/// In the middle of a gap pass that would take seconds, when only rank 0 knows of the wish.
TEST_F(RanksTraining, GiveUpASlowStepTogether) {
  const auto slow =
      watched([](Index) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
  TrainOptions batch = options("fw");
  batch.max_passes = 100;
  std::atomic<bool> stop = false;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
    stop = true;
  });
  std::mutex mutex;
  std::vector<Index> steps;
  const auto began = std::chrono::steady_clock::now();
  const auto thrown = ThreadRanks(3).run([&](Ranks& job) {
    const std::atomic<bool> never = false;
    Observer nobody;
    const Report report = Training(*slow, batch, &job)
                              .run(nobody, {.flag = job.leads() ? &stop : &never, .patience = 0.1});
    EXPECT_EQ(report.reason, StopReason::kInterrupted);
    const std::lock_guard lock(mutex);
    steps.push_back(report.progress.steps);
  });
  later.join();
  for (const auto& one : thrown) EXPECT_EQ(message_of(one), "");
  ASSERT_EQ(steps.size(), 3U);
  for (const Index step : steps) EXPECT_EQ(step, steps.front());
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST_F(RanksTraining, ABudgetOfSecondsEndsAllRanksAtTheSameStep) {
  TrainOptions brief = options("bcfw");
  brief.relative_gap = 1e-12;
  brief.max_passes = 1000000;
  brief.max_seconds = 0.3;
  std::mutex mutex;
  std::vector<std::vector<double>> weights;
  const auto thrown = ThreadRanks(3).run([&](Ranks& job) {
    Observer nobody;
    const Report report = Training(*cheap, brief, &job).run(nobody);
    EXPECT_EQ(report.reason, StopReason::kMaxSeconds);
    const std::lock_guard lock(mutex);
    weights.push_back(report.w);
  });
  for (const auto& one : thrown) EXPECT_EQ(message_of(one), "");
  ASSERT_EQ(weights.size(), 3U);
  EXPECT_EQ(weights[0], weights[1]);
  EXPECT_EQ(weights[0], weights[2]);
}

TEST_F(RanksTraining, RefuseClocksThatDecide) {
  TrainOptions by_clock = options("auto");
  by_clock.deterministic = false;
  const auto thrown = ThreadRanks(2).run([&](Ranks& job) { Training(*cheap, by_clock, &job); });
  for (const auto& one : thrown) EXPECT_THROW(std::rethrow_exception(one), OptionError);
}

}  // namespace
}  // namespace gapwise::internal
