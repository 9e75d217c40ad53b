// Figures by label and example, intervals, and the difference of two models.

#include "gapwise/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "app/small_data.h"

namespace gapwise::internal {
namespace {

using testing::sample_file;
using testing::samples;
using testing::short_run;

class EvaluationTest : public ::testing::Test {
 protected:
  Model trained(std::string_view task, Index passes = 7) const {
    TrainOptions options = short_run();
    options.max_passes = passes;
    return fit(samples(folder_, task, 60), options).model;
  }
  Examples tested(std::string_view task) const {
    return open_examples(task, sample_file(folder_, task, 50, 2));
  }

  ScratchFolder folder_;
};

double metric(const Metrics& metrics, std::string_view name) {
  return find_metric(metrics, name)->value;
}

bool operator==(const Interval& a, const Interval& b) {
  return a.low == b.low && a.high == b.high;
}

TEST_F(EvaluationTest, SaysOfEveryTaskWhatEvaluateSays) {
  for (const std::string_view task : task_names()) {
    const Model model = trained(task);
    EXPECT_EQ(evaluate_in_detail(model, tested(task)).metrics, model.evaluate(tested(task)))
        << task;
  }
}

TEST_F(EvaluationTest, CountsEveryTokenOnce) {
  const Model model = trained("sequence");
  const Evaluation found = evaluate_in_detail(model, tested("sequence"));
  // The same by hand, from what the model predicts and what the rows of its truth say.
  std::map<std::pair<std::string, std::string>, double> pairs;
  double tokens = 0.0;
  double right = 0.0;
  for (const Confusion& confusion : found.confusions) {
    EXPECT_TRUE(
        (pairs.emplace(std::pair(confusion.gold, confusion.predicted), confusion.count)).second);
    tokens += confusion.count;
    right += confusion.gold == confusion.predicted ? confusion.count : 0.0;
  }
  std::map<std::string, double> predicted;
  double said = 0.0;
  for (const Output& output : model.predict(tested("sequence"))) {
    for (const std::string& label : output.labels) {
      predicted[label] += 1.0;
      said += 1.0;
    }
  }
  EXPECT_EQ(tokens, said);
  EXPECT_DOUBLE_EQ(right / tokens, metric(found.metrics, "token_accuracy"));
  ASSERT_GT(found.labels.size(), 1U);
  for (const LabelFigures& label : found.labels) {
    EXPECT_EQ(label.predicted, predicted[label.label]) << label.label;
    EXPECT_EQ(label.correct, (pairs[{label.label, label.label}])) << label.label;
    double support = 0.0;
    for (const auto& [names, count] : pairs) support += names.first == label.label ? count : 0.0;
    EXPECT_EQ(label.support, support) << label.label;
  }
}

TEST_F(EvaluationTest, CountsChunksByTheirType) {
  const std::string path = folder_.path("chunks.txt");
  write_file(path, "a X B-NP\nb X I-NP\nc Y B-VP\nd X B-NP\n\nc Y B-VP\na X B-NP\nb X I-NP\n\n");
  const Model model = fit(read_examples("sequence", {path}), short_run()).model;
  const Evaluation found = evaluate_in_detail(model, open_examples("sequence", {path}));
  ASSERT_EQ(found.labels.size(), 2U);
  EXPECT_EQ(found.labels[0].label, "NP");
  EXPECT_EQ(found.labels[0].support, 3.0);
  EXPECT_EQ(found.labels[1].label, "VP");
  EXPECT_EQ(found.labels[1].support, 2.0);
  double correct = 0.0;
  double both = 0.0;
  for (const LabelFigures& label : found.labels) {
    correct += label.correct;
    both += label.support + label.predicted;
  }
  EXPECT_DOUBLE_EQ(metric(found.metrics, "f1"), 2.0 * correct / both);
}

TEST_F(EvaluationTest, SetsOfLabelsAreHitMissedAndSaidForNothing) {
  const Evaluation found = evaluate_in_detail(trained("multilabel"), tested("multilabel"));
  double hits = 0.0;
  double all = 0.0;
  double f1s = 0.0;
  for (const LabelFigures& label : found.labels) {
    hits += label.correct;
    all += label.support + label.predicted;
    f1s += label.f1();
  }
  EXPECT_DOUBLE_EQ(metric(found.metrics, "micro_f1"), 2.0 * hits / all);
  EXPECT_NEAR(metric(found.metrics, "macro_f1"), f1s / static_cast<double>(found.labels.size()),
              1e-12);
}

TEST_F(EvaluationTest, ListsTheWorstExamplesFirst) {
  for (const std::string_view task : task_names()) {
    EvaluationSettings settings;
    settings.worst = 5;
    const Evaluation found = evaluate_in_detail(trained(task, 1), tested(task), settings);
    EXPECT_LE(found.worst.size(), 5U);
    for (std::size_t k = 0; k < found.worst.size(); ++k) {
      EXPECT_GT(found.worst[k].errors, 0.0);
      EXPECT_LE(found.worst[k].errors, found.worst[k == 0 ? 0 : k - 1].errors) << task;
      double wrong = 0.0;
      for (const Confusion& confusion : found.worst[k].confusions) wrong += confusion.count;
      EXPECT_DOUBLE_EQ(wrong, found.labels.empty() ? 0.0 : found.worst[k].errors) << task;
    }
  }
}

TEST_F(EvaluationTest, IntervalsHoldTheFigureAndDoNotDependOnThreads) {
  const Model model = trained("sequence", 1);
  EvaluationSettings settings;
  settings.confidence = 0.9;
  settings.resamples = 300;
  const Evaluation one = evaluate_in_detail(model, tested("sequence"), settings, 1);
  const Evaluation three = evaluate_in_detail(model, tested("sequence"), settings, 3);
  settings.confidence = 0.5;
  const Evaluation narrow = evaluate_in_detail(model, tested("sequence"), settings, 1);
  ASSERT_EQ(one.intervals.size(), one.metrics.size());
  for (std::size_t m = 0; m < one.metrics.size(); ++m) {
    EXPECT_LE(one.intervals[m].low, one.metrics[m].value);
    EXPECT_GE(one.intervals[m].high, one.metrics[m].value);
    EXPECT_TRUE(one.intervals[m] == three.intervals[m]);
    EXPECT_LE(one.intervals[m].low, narrow.intervals[m].low);
    EXPECT_GE(one.intervals[m].high, narrow.intervals[m].high);
  }
}

/// Of a share p of n, as the normal law says.
TEST_F(EvaluationTest, IntervalsAreAsWideAsTheyShouldBe) {
  const Model model = trained("multiclass", 1);
  EvaluationSettings settings;
  settings.confidence = 0.95;
  settings.resamples = 4000;
  const Examples many = open_examples("multiclass", sample_file(folder_, "multiclass", 1000, 5));
  const Evaluation found = evaluate_in_detail(model, many, settings);
  const double p = metric(found.metrics, "accuracy");
  ASSERT_GT(p, 0.05);
  ASSERT_LT(p, 0.999);
  const double half = 1.96 * std::sqrt(p * (1.0 - p) / 1000.0);
  EXPECT_NEAR(found.intervals[0].low, p - half, 0.2 * half + 0.001);
  EXPECT_NEAR(found.intervals[0].high, p + half, 0.2 * half + 0.001);
}

TEST_F(EvaluationTest, TellsABetterModelFromAWorseOneAndNoneFromItself) {
  const Model poor = trained("multiclass", 1);
  const Examples many = open_examples("multiclass", sample_file(folder_, "multiclass", 400, 5));
  const Difference none = compare_models(poor, poor, many);
  EXPECT_EQ(none.by, 0.0);
  EXPECT_EQ(none.p_value, 1.0);
  EXPECT_EQ(none.interval.low, 0.0);
  EXPECT_EQ(none.interval.high, 0.0);

  TrainOptions heavy = short_run();
  heavy.lambda = Lambda::of(1e6);  // says nearly nothing
  heavy.max_passes = 1;
  const Model useless = fit(samples(folder_, "multiclass", 3), heavy).model;
  const Model good = trained("multiclass", 50);
  const Difference clear = compare_models(good, useless, many);
  EXPECT_GT(clear.by, 0.0);
  EXPECT_GT(clear.interval.low, 0.0);
  EXPECT_LT(clear.p_value, 0.01);
  const Difference turned = compare_models(useless, good, many);
  EXPECT_DOUBLE_EQ(turned.by, -clear.by);
  EXPECT_EQ(turned.p_value, clear.p_value);
}

TEST_F(EvaluationTest, LowerIsBetterWhereItIs) {
  const Model poor = trained("alignment", 1);
  const Model good = trained("alignment", 40);
  const Difference found = compare_models(good, poor, tested("alignment"));
  EXPECT_EQ(found.first.name, "aer");
  EXPECT_DOUBLE_EQ(found.by, found.second.value - found.first.value);
}

TEST_F(EvaluationTest, RefusesWhatMakesNoSense) {
  const Model model = trained("multiclass");
  EXPECT_THROW(evaluate_in_detail(model, tested("sequence")), OptionError);
  EvaluationSettings settings;
  settings.confidence = 95.0;
  EXPECT_THROW(evaluate_in_detail(model, tested("multiclass"), settings), OptionError);
  settings = {};
  settings.resamples = 0;
  EXPECT_THROW(evaluate_in_detail(model, tested("multiclass"), settings), OptionError);
}

}  // namespace
}  // namespace gapwise::internal
