// What a fit does besides training: tests on the way, checkpoints, and starts from something.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <thread>

#include "app/small_data.h"
#include "app/training_run.h"
#include "support/stop_after_steps.h"

namespace gapwise::internal {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): small_data.h

/// Writes down what it hears.
struct Listener : Observer {
  void on_pass(const Progress& progress, const Snapshot&) override {
    ++passes;
    if (progress.primal) ++measured_passes;
  }
  void on_measure(const Progress&, Weights) override { ++measurements; }
  void on_test(const Progress& progress, const Metrics& metrics) override {
    tested_at.push_back(progress.passes);
    last = metrics;
  }
  void on_failure(const std::string& message) override { failures.push_back(message); }

  Index passes = 0;
  Index measured_passes = 0;
  Index measurements = 0;
  std::vector<Index> tested_at;
  Metrics last;
  std::vector<std::string> failures;
};

/// Blocks that take 20 ms each to decode without the loss, and no time with it.
Examples slow_to_predict(Index n) {
  const auto argmax = [](Index, Weights w, Corner& out) {
    if (w[0] >= 1.0) return;  // the truth
    out.parts.collect(0, 1.0);
    out.loss = 1.0;
  };
  const auto predict = [](Index, Weights, Corner&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  return Examples(make_argmax_problem(n, 1, argmax, predict));
}

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

TrainOptions run_on_one_thread() {
  TrainOptions options = short_run();
  options.threads = 1;
  return options;
}

TEST(FitBudget, WhatFollowsTheTrainingIsBoundedByTheTimeToo) {
  const Examples examples = slow_to_predict(400);  // 8 s
  TrainOptions options = run_on_one_thread();
  options.max_seconds = 0.2;
  const auto began = std::chrono::steady_clock::now();
  const Fit result = fit(examples, options);
  EXPECT_LT(seconds_since(began), 4.0);
  EXPECT_FALSE(result.train_loss);
  EXPECT_TRUE(result.is_cut_short);
}

TEST(FitBudget, ATrainingLossThatIsSoonThereIsComputedEvenIfTheTimeIsOver) {
  const Examples examples = slow_to_predict(3);
  TrainOptions options = run_on_one_thread();
  options.max_seconds = 1e-9;
  const Fit result = fit(examples, options);
  EXPECT_EQ(result.report.reason, StopReason::kMaxSeconds);
  EXPECT_TRUE(result.train_loss);
  EXPECT_FALSE(result.is_cut_short);
}

TEST(FitBudget, AFlagThatIsRaisedEndsTheFitAndWhatFollowsIt) {
  const Examples examples = slow_to_predict(400);
  TrainOptions options = run_on_one_thread();
  const std::atomic<bool> flag{true};
  FitSettings settings;
  settings.stop = &flag;
  const auto began = std::chrono::steady_clock::now();
  const Fit result = fit(examples, options, settings);
  EXPECT_LT(seconds_since(began), 5.0);
  EXPECT_EQ(result.report.reason, StopReason::kInterrupted);
  EXPECT_TRUE(result.is_cut_short);
}

/// Four blocks whose calls may take long, and which raise a flag in one of them.
struct SlowBlocks {
  std::function<bool(int call)> is_slow = [](int) { return false; };
  int raises_at = 0;
  int calls = 0;
  std::atomic<bool> flag{false};

  void on_call() {
    ++calls;
    if (calls == raises_at) flag = true;
    if (is_slow(calls)) std::this_thread::sleep_for(std::chrono::milliseconds(360));
  }
  Examples examples() {
    return Examples(make_argmax_problem(4, 4, [this](Index i, Weights w, Corner& out) {
      on_call();
      const auto at = static_cast<std::size_t>(i);
      if (w[at] - 0.3 * w[(at + 1) % 4] >= 1.0) return;
      out.parts.collect(i, 1.0);
      out.parts.collect((i + 1) % 4, -0.3);
      out.loss = 1.0;
    }));
  }
};

/// Keeps a line for every measurement, as the program does for its trace.
struct LineKeeper : Observer {
  void on_measure(const Progress& progress, Weights) override {
    lines.push_back(std::to_string(progress.oracle_calls) + " " + std::to_string(progress.dual));
  }
  Notes notes() {
    return {.save = [this] { return lines; },
            .restore = [this](std::vector<std::string> saved) { lines = std::move(saved); }};
  }
  std::vector<std::string> lines;
};

TEST(FitBudget, WhatWasToldAfterTheStepThatARunGoesBackToIsToldOnce) {
  const ScratchFolder folder;
  SlowBlocks blocks;
  const auto data =
      std::make_shared<const TrainingData>(blocks.examples(), std::nullopt, /*oracle_delay=*/0.0);
  TrainOptions options = run_on_one_thread();
  options.gap_every = 1;
  options.max_passes = 4;
  LineKeeper whole;
  run_fit(data, options, {}, whole, whole.notes());
  ASSERT_EQ(whole.lines.size(), 4U);

  // The first pass shows that passes are slow; the second gap pass, calls 13 to 16, is given up
  // after a second.
  blocks.calls = 0;
  blocks.is_slow = [](int call) { return call <= 4 || call >= 13; };
  blocks.raises_at = 13;
  LineKeeper keeper;
  FitSettings settings;
  settings.checkpoint = folder.path("state");
  settings.stop = &blocks.flag;
  const Fit stopped = run_fit(data, options, settings, keeper, keeper.notes());
  EXPECT_EQ(stopped.report.reason, StopReason::kInterrupted);
  EXPECT_LT(stopped.report.progress.oracle_calls, 13);
  EXPECT_EQ(blocks.calls, 15);

  blocks.is_slow = [](int) { return false; };
  LineKeeper resumed;
  FitSettings again;
  again.resume = settings.checkpoint;
  run_fit(data, options, again, resumed, resumed.notes());
  EXPECT_EQ(resumed.lines, whole.lines);
}

class FitOfSequences : public ::testing::Test {
 protected:
  ScratchFolder folder_;
  Examples train_ = samples(folder_, "sequence", 40);
  DataSource test_source_ = testing::sample_file(folder_, "sequence", 30, 2);
  Examples test_ = open_examples("sequence", test_source_);

  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string refusal(const TrainOptions& options, const FitSettings& settings) const {
    return message_of<OptionError>([&] { fit(train_, options, settings); });
  }
};

TEST_F(FitOfSequences, ReportsWhatItsModelHolds) {
  const Fit result = fit(train_, short_run());
  EXPECT_EQ(result.report.reason, StopReason::kMaxPasses);
  EXPECT_EQ(result.report.progress.passes, 7);
  EXPECT_TRUE(result.report.progress.is_certified);
  EXPECT_DOUBLE_EQ(result.report.lambda, 0.05);
  EXPECT_FALSE(result.test);
  EXPECT_FALSE(result.failure);
  const Metric* accuracy = find_metric(result.model.evaluate(train_), "token_accuracy");
  EXPECT_NE(accuracy, nullptr);
  EXPECT_GE(result.train_loss.value(), 0.0);
}

TEST_F(FitOfSequences, KnowsTheTrainingLossOfAnOwnProblemThatCanPredict) {
  const auto wrong = [](Index, Weights, Corner& out) { out.loss = 0.25; };
  EXPECT_EQ(fit(Examples(make_argmax_problem(4, 2, wrong)), short_run()).train_loss, std::nullopt);
  EXPECT_EQ(fit(Examples(make_argmax_problem(4, 2, wrong, wrong)), short_run()).train_loss, 0.25);
}

TEST_F(FitOfSequences, TestsItsResultAsTheModelDoes) {
  FitSettings settings;
  settings.test = test_;
  Listener listener;
  const Fit result = fit(train_, short_run(), listener, settings);
  ASSERT_TRUE(result.test);
  EXPECT_EQ(*result.test, result.model.evaluate(test_));
  EXPECT_EQ(*result.test, result.model.evaluate(test_source_));
  EXPECT_TRUE(listener.tested_at.empty());  // nobody asked for tests on the way
}

TEST_F(FitOfSequences, TestsAtEveryMeasurementIfAsked) {
  FitSettings settings;
  settings.test = test_;
  settings.tests_at_measurements = true;
  TrainOptions options = short_run();
  options.gap_every = 3;
  Listener listener;
  const Fit result = fit(train_, options, listener, settings);
  EXPECT_GE(listener.measurements, 3);
  EXPECT_EQ(std::ssize(listener.tested_at), listener.measurements);
  EXPECT_EQ(listener.last, *result.test);
}

TEST_F(FitOfSequences, TestsAfterEverySoManyPassesAndNeverTwiceAtOnePoint) {
  FitSettings settings;
  settings.test = test_;
  settings.test_every = 2;
  TrainOptions options = short_run();
  options.gap_every = 5;
  Listener listener;
  const Fit result = fit(train_, options, listener, settings);
  for (const Index due : {2, 4, 6}) {
    EXPECT_EQ(std::count(listener.tested_at.begin(), listener.tested_at.end(), due), 1) << due;
  }
  EXPECT_EQ(std::adjacent_find(listener.tested_at.begin(), listener.tested_at.end(),
                               std::greater_equal<>()),
            listener.tested_at.end());
  EXPECT_EQ(listener.last, *result.test);  // the last measurement is tested, too
}

TEST_F(FitOfSequences, IsNotChangedByTestsOnTheWay) {
  FitSettings settings;
  settings.test = test_;
  settings.test_every = 1;
  EXPECT_EQ(fit(train_, short_run(), settings).model.bytes(),
            fit(train_, short_run()).model.bytes());
}

TEST_F(FitOfSequences, DoesNotDependOnTheNumberOfThreads) {
  TrainOptions one = short_run();
  one.threads = 1;
  TrainOptions four = short_run();
  four.threads = 4;
  EXPECT_EQ(fit(train_, one).model.bytes(), fit(train_, four).model.bytes());
}

TEST_F(FitOfSequences, RefusesTestsThatCannotBe) {
  FitSettings every;
  every.test_every = 1;
  EXPECT_TRUE(says(refusal(short_run(), every), "need test examples"));
  FitSettings at_measurements;
  at_measurements.tests_at_measurements = true;
  EXPECT_TRUE(says(refusal(short_run(), at_measurements), "need test examples"));
  every.test = test_;
  every.test_every = 0;
  EXPECT_TRUE(says(refusal(short_run(), every), "test-every = 0 must be >= 1"));
  FitSettings other_task;
  other_task.test = samples(folder_, "multiclass", 10);
  EXPECT_TRUE(says(refusal(short_run(), other_task),
                   "test examples of task multiclass cannot judge a model of task sequence"));
  other_task.test = own_examples();
  EXPECT_TRUE(says(refusal(short_run(), other_task), "task own"));
  EXPECT_THROW(fit(own_examples(), short_run(), other_task), OptionError);
}

TEST_F(FitOfSequences, RefusesOptionsThatCannotBe) {
  TrainOptions options = short_run("ssg");
  options.cache = 5;
  EXPECT_TRUE(says(refusal(options, {}), "cache"));
  options.solver = "bcfv";
  EXPECT_TRUE(says(refusal(options, {}), "bcfv"));
  options = short_run();
  options.lambda = Lambda::of(0.0);
  options.threads = 0;
  const std::string both = refusal(options, {});
  EXPECT_TRUE(says(both, "lambda"));
  EXPECT_TRUE(says(both, "threads"));
  EXPECT_TRUE(
      says(message_of<OptionError>([&] { set_option(options, "max-pases", "3"); }), "max-passes"));
}

// Checkpoints.

TEST_F(FitOfSequences, ResumesToTheSameBytesWhereverItWasStopped) {
  TrainOptions options = short_run();
  options.gap_every = 3;
  const std::string whole = fit(train_, options).model.bytes();
  for (const int steps : {0, 1, 40, 97, 130}) {
    FitSettings first;
    first.checkpoint = path("state");
    testing::StopAfterSteps stopper(steps);
    const Fit stopped = fit(train_, options, stopper, first);
    EXPECT_EQ(stopped.report.reason, StopReason::kInterrupted);
    EXPECT_EQ(stopped.report.progress.steps, steps);
    FitSettings second;
    second.resume = path("state");
    EXPECT_EQ(fit(train_, options, second).model.bytes(), whole) << "after " << steps << " steps";
  }
}

TEST_F(FitOfSequences, ResumesOnAnOwnProblemAsWell) {
  TrainOptions options = short_run();
  FitSettings first;
  first.checkpoint = path("state");
  testing::StopAfterSteps stopper(20);
  fit(own_examples(), options, stopper, first);
  FitSettings second;
  second.resume = path("state");
  EXPECT_EQ(fit(own_examples(), options, second).model.bytes(),
            fit(own_examples(), options).model.bytes());
}

TEST_F(FitOfSequences, ResumesOnlyWhatItIsACheckpointOf) {
  FitSettings first;
  first.checkpoint = path("state");
  fit(train_, short_run(), first);
  FitSettings second;
  second.resume = path("state");
  const auto resumed = [&](const Examples& examples, const TrainOptions& options) {
    return message_of([&] { fit(examples, options, second); });
  };
  EXPECT_TRUE(says(resumed(samples(folder_, "multiclass", 40), short_run()), "task"));
  EXPECT_TRUE(says(resumed(read_examples("sequence", test_source_), short_run()), path("state")));
  TrainOptions other_seed = short_run();
  other_seed.seed = 4;
  EXPECT_TRUE(says(resumed(train_, other_seed), "seed"));
  second.resume = path("missing");
  EXPECT_TRUE(says(resumed(train_, short_run()), path("missing")));
  second.resume = path("model");
  fit(train_, short_run()).model.save(second.resume);
  EXPECT_TRUE(says(resumed(train_, short_run()), path("model")));
}

TEST_F(FitOfSequences, GoesOnWhenACheckpointCannotBeWritten) {
  FitSettings settings;
  settings.checkpoint = path("no/folder/state");
  settings.checkpoint_seconds = 0.0;
  Listener listener;
  const Fit result = fit(train_, short_run(), listener, settings);
  EXPECT_EQ(result.report.reason, StopReason::kMaxPasses);
  ASSERT_TRUE(result.failure);
  EXPECT_TRUE(says(*result.failure, settings.checkpoint));
  EXPECT_EQ(std::ssize(listener.failures), listener.passes + 1);  // and once at the end
  EXPECT_EQ(listener.failures.front(), *result.failure);
  EXPECT_EQ(result.model.bytes(), fit(train_, short_run()).model.bytes());
}

TEST_F(FitOfSequences, RefusesATimeBetweenCheckpointsThatIsNone) {
  FitSettings settings;
  settings.checkpoint = path("state");
  settings.checkpoint_seconds = -1.0;
  EXPECT_TRUE(says(refusal(short_run(), settings), "checkpoint-seconds = -1 must be >= 0"));
}

// Starts.

class WarmFit : public FitOfSequences {
 protected:
  static TrainOptions until(double relative_gap, double lambda = 0.05) {
    TrainOptions options = short_run();
    options.lambda = Lambda::of(lambda);
    options.relative_gap = relative_gap;
    options.max_passes = 5000;
    return options;
  }
  static FitSettings from(const Fit& earlier) {
    FitSettings settings;
    settings.start = &earlier;
    return settings;
  }
  /// Where a run stands before its first step.
  Report begin(const TrainOptions& options, const FitSettings& settings) const {
    testing::StopAfterSteps at_once(0);
    return fit(train_, options, at_once, settings).report;
  }

  Fit earlier_ = fit(train_, until(0.05));
};

TEST_F(WarmFit, AtTheSameLambdaStartsWhereTheEarlierOneEnded) {
  const Report report = begin(until(0.02), from(earlier_));
  EXPECT_NEAR(report.progress.dual, earlier_.report.progress.dual, 1e-12);
  ASSERT_EQ(report.w.size(), earlier_.report.w.size());
  for (std::size_t j = 0; j < report.w.size(); ++j) {
    ASSERT_NEAR(report.w[j], earlier_.report.w[j], 1e-12);
  }
  const Fit warm = fit(train_, until(0.02), from(earlier_));
  const Fit cold = fit(train_, until(0.02));
  EXPECT_EQ(warm.report.reason, StopReason::kConverged);
  EXPECT_LT(warm.report.progress.oracle_calls, cold.report.progress.oracle_calls);
}

TEST_F(WarmFit, AtHalfTheLambdaStartsAtTheRescaledPoint) {
  // w = sum_i psi_i / (lambda n) doubles, so lambda/2 |w|^2 doubles as well; the losses stay.
  const std::vector<double>& w = earlier_.report.w;
  const double regularizer = 0.5 * 0.05 * std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
  const Report report = begin(until(0.02, 0.025), from(earlier_));
  EXPECT_NEAR(report.progress.dual, earlier_.report.progress.dual - regularizer, 1e-12);
  for (std::size_t j = 0; j < w.size(); ++j) ASSERT_NEAR(report.w[j], 2.0 * w[j], 1e-12);
  const Fit warm = fit(train_, until(0.02, 0.025), from(earlier_));
  const Fit cold = fit(train_, until(0.02, 0.025));
  EXPECT_EQ(warm.report.reason, StopReason::kConverged);
  EXPECT_LT(warm.report.progress.oracle_calls, cold.report.progress.oracle_calls);
}

TEST_F(WarmFit, StartsFromAFitWhoseExamplesAreGone) {
  std::optional<Fit> other;
  {
    const ScratchFolder folder;
    other = fit(samples(folder, "sequence", 40), until(0.05));
  }
  EXPECT_NEAR(begin(until(0.02), from(*other)).progress.dual, earlier_.report.progress.dual, 1e-12);
}

TEST_F(WarmFit, OfASubgradientMethodStartsFromWeights) {
  TrainOptions options = short_run("ssg");
  FitSettings settings;
  settings.start_weights = earlier_.report.w;
  const Report report = begin(options, settings);
  for (std::size_t j = 0; j < report.w.size(); ++j) {
    ASSERT_NEAR(report.w[j], earlier_.report.w[j], 1e-12);
  }
}

TEST_F(WarmFit, IsRefusedWhereItCannotBe) {
  FitSettings weights;
  weights.start_weights = earlier_.report.w;
  EXPECT_TRUE(says(refusal(short_run("bcfw"), weights), "dual point"));
  EXPECT_TRUE(says(refusal(short_run("one-slack"), weights), "no warm start"));
  EXPECT_TRUE(says(refusal(short_run("one-slack"), from(earlier_)), "no warm start"));
  weights.start_weights->push_back(0.0);
  EXPECT_TRUE(says(refusal(short_run("ssg"), weights), "weights cannot start from"));
  const Examples others = read_examples("sequence", test_source_);
  EXPECT_TRUE(says(message_of<OptionError>([&] { fit(others, short_run(), from(earlier_)); }),
                   "same training data"));
}

TEST_F(WarmFit, StartsFromOneThingOnly) {
  FitSettings both = from(earlier_);
  both.start_weights = earlier_.report.w;
  EXPECT_TRUE(says(refusal(short_run(), both), "give one"));
  FitSettings with_checkpoint = from(earlier_);
  with_checkpoint.resume = path("state");
  EXPECT_TRUE(says(refusal(short_run(), with_checkpoint), "give one"));
}

}  // namespace
}  // namespace gapwise::internal
