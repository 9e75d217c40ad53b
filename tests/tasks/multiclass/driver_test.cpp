#include "tasks/driver_test.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/reading.h"

namespace gapwise::internal {
namespace {

/// Three classes that two features and a constant tell apart.
constexpr const char* kExamples = "2 1:1 9:1\n10 1:-1\n2 1:2 9:0.5\n1 9:-3\n10 1:-2 9:1\n1 9:-2\n";

class MulticlassDriver : public DriverTest {
 protected:
  MulticlassDriver() : DriverTest("multiclass") {}

  double accuracy(const ModelRecord& model, const std::string& text) {
    const Metrics metrics = evaluate(model, text);
    EXPECT_EQ(metrics.size(), 1U);
    EXPECT_EQ(metrics[0].name, "accuracy");
    EXPECT_EQ(main_metric(metrics), &metrics[0]);
    return metrics[0].value;
  }
  std::string cost_error(const std::string& costs) {
    set("cost-matrix", file("costs", costs).path);
    return complaint(kExamples);
  }
};

TEST_F(MulticlassDriver, DescribesItsData) {
  EXPECT_EQ(driver_->name(), "multiclass");
  EXPECT_EQ(read(kExamples)->describe(), "6 examples, 3 labels, 2 attributes");
  EXPECT_EQ(read(kExamples)->problem().dimension(), 6);
  set("bias", "yes");
  EXPECT_EQ(read(kExamples)->problem().dimension(), 9);
}

TEST_F(MulticlassDriver, ReadsBlocksOfAFileAsOne) {
  constexpr int kExamplesInFile = 150'000;  // several MiB
  std::string text;
  for (int k = 0; k < kExamplesInFile; ++k) {
    text += std::to_string(k % 7) + " 1:0.5 " + std::to_string(k % 100 + 2) + ":1.25 5000000:2\n";
    if (k % 1000 == 0) text += "# a comment\n";
  }
  EXPECT_EQ(read(text)->describe(), "150000 examples, 7 labels, 102 attributes");
  EXPECT_TRUE(testing::says(complaint(text + "3 1:x\n"), ":150151: value 'x' of index 1"));
  std::string labels;
  for (int k = 0; k <= 10'000; ++k) labels += "L" + std::to_string(k) + " 1:1\n";
  EXPECT_TRUE(
      testing::says(complaint(text + labels + text), ":160144: label 'L9993' is one more than"));
}

TEST_F(MulticlassDriver, ClassifiesWhatItWasTrainedOn) {
  for (const char* bias : {"no", "yes"}) {
    set("bias", bias);
    const ModelRecord model = train(kExamples);
    EXPECT_EQ(accuracy(model, kExamples), 1.0);
    EXPECT_EQ(predict(model, kExamples), "2\n10\n2\n1\n10\n1\n");
  }
}

TEST_F(MulticlassDriver, SortsNumbersBySizeAndNamesBehindThem) {
  EXPECT_EQ(train(kExamples).lists.at("labels"), (Texts{"1", "2", "10"}));
  EXPECT_EQ(train("b 1:1\n-1 1:2\na 1:3\n1e1 1:1\n2 1:1\n").lists.at("labels"),
            (Texts{"-1", "2", "10", "a", "b"}));
}

TEST_F(MulticlassDriver, TakesEqualNumbersForTheSameClass) {
  const ModelRecord model = train("+1 1:1\n-1 1:-1\n1.0 1:2\n-1.00e+00 1:-1\n-0 2:1\n");
  EXPECT_EQ(model.lists.at("labels"), (Texts{"-1", "0", "1"}));
  EXPECT_EQ(accuracy(model, "1 1:1\n+1 1:1\n0 2:3\n+0 2:1\n"), 1.0);
}

TEST_F(MulticlassDriver, IgnoresFeaturesItHasNotSeen) {
  const ModelRecord model = train(kExamples);
  EXPECT_EQ(predict(model, "2 1:1 2:100 9:1 2147483647:-5\n? 8:3 1000:1\n"), "2\n1\n");
}

TEST_F(MulticlassDriver, PredictsWithoutLabelsButDoesNotEvaluate) {
  const ModelRecord model = train(kExamples);
  EXPECT_EQ(predict(model, "1:3 9:1\n9:-1\n"), "2\n1\n");
  EXPECT_NE(message_of([&] { accuracy(model, "1:3\n"); }).find("test:1: the line has no label"),
            std::string::npos);
}

TEST_F(MulticlassDriver, CountsUnknownLabelsAsErrors) {
  EXPECT_EQ(accuracy(train(kExamples), "2 1:1 9:1\n7 1:1 9:1\n"), 0.5);
}

TEST_F(MulticlassDriver, GivesTheSameForAnyNumberOfThreadsAndBatches) {
  const ModelRecord model = train(kExamples);
  std::string text;
  std::string expected;
  for (int k = 0; k < 400'000; ++k) {
    text += k % 3 == 0 ? "1 9:-3 1:0\n" : "10 1:-2 2:1 9:1\n";
    expected += k % 3 == 0 ? "1\n" : "10\n";
  }
  const std::size_t wrong = text.find("9:-3 1:0");
  EXPECT_NE(message_of([&] { predict(model, text); }).find("index 1 comes after 9"),
            std::string::npos);
  for (std::size_t at = wrong; at != std::string::npos; at = text.find("9:-3 1:0", at)) {
    text.replace(at, 8, "1:0 9:-3");
  }
  const DataSource source = file("test", gzip(text));
  for (const int threads : {1, 3}) {
    std::ostringstream out;
    driver_->open(model)->predict(source, Threads(threads),
                                  [&](std::string_view part) { out << part; });
    EXPECT_EQ(out.str(), expected);
  }
}

TEST_F(MulticlassDriver, LeavesOutWhatHasNoWeight) {
  const auto set = read(kExamples);
  std::vector<double> w(6, 0.0);
  w[4] = 2.0;
  const ModelRecord model = set->make_model(w);
  EXPECT_EQ(model.numbers.at("features"), (std::vector<std::int64_t>{9}));
  EXPECT_EQ(model.w, (std::vector<double>{0.0, 2.0, 0.0}));
  EXPECT_EQ(predict(model, "9:1\n9:-1\n1:1\n"), "2\n1\n1\n");
}

TEST_F(MulticlassDriver, ShowsTheStrongestWeights) {
  set("bias", "yes");
  const auto predictor =
      driver_->open(read(kExamples)->make_model(std::vector<double>{1, -2, 0, 0.5, 3, 0, 0, 0, 7}));
  const auto tables = predictor->top_weights(5);
  ASSERT_EQ(tables.size(), 3U);
  using Rows = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(tables[0].title, "label 1");
  EXPECT_EQ(tables[0].rows, (Rows{{"1", 1.0}, {"9", 0.5}}));
  EXPECT_EQ(tables[1].rows, (Rows{{"9", 3.0}, {"1", -2.0}}));
  EXPECT_EQ(tables[2].rows, (Rows{{"bias", 7.0}}));
}

TEST_F(MulticlassDriver, RefusesBadTrainingData) {
  EXPECT_EQ(complaint(""), "train: is empty; expected 'label index:value ...' on each line");
  EXPECT_EQ(complaint("\n# x\n"),
            "train: holds no examples; expected 'label index:value ...' on each line");
  EXPECT_EQ(complaint("1 1:1\n1 1:2\n"),
            "train: all examples have the label '1'; give examples of at least two classes");
  EXPECT_EQ(complaint("1 1:1\n1:2\n"),
            "train:2: the line has no label before its first feature; expected 'label index:value "
            "...'");
  EXPECT_EQ(complaint("1 1:1\n1,2 1:2\n"),
            "train:2: '1,2' are several labels; task multiclass takes one label per example");
  EXPECT_EQ(complaint("1 1:1\nnan 1:2\n"),
            "train:2: label 'nan' is not a finite number of at most 1e+100 in size; give the class "
            "a number or a name");
  std::string many;
  for (int k = 0; k < 10'001; ++k) many += std::to_string(k) + "\n";
  EXPECT_NE(complaint(many).find("train:10001: label '10000' is one more than the 10000"),
            std::string::npos);
}

TEST_F(MulticlassDriver, RefusesOtherFormatsAndFolds) {
  DataSource source = file("train", kExamples);
  source.format = "conll";
  EXPECT_THROW(read(source), OptionError);
  source.format = "svmlight";
  source.folds = "1";
  EXPECT_THROW(read(source), OptionError);
}

/// The loss of predicting each class for each example, at weights that ask for that class.
std::vector<double> losses_of(const TrainingSet& set) {
  const Problem& problem = set.problem();
  const auto oracle = problem.make_oracle();
  PartScores theta;
  Corner corner;
  std::vector<double> losses;
  for (Index i = 0; i < problem.num_blocks(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::span<double> scores = theta.resize(3);
      std::fill(scores.begin(), scores.end(), 0.0);
      scores[k] = 100.0;
      oracle->decode(i, theta, Augment::kLoss, corner);
      losses.push_back(corner.loss);
    }
  }
  return losses;
}

TEST_F(MulticlassDriver, ReadsCostsInTheOrderOfTheLabels) {
  set("cost-matrix", file("costs", "# truth in rows\n0 1 2\n3 0 4\n\n5 6 0\n").path);
  const auto losses = losses_of(*read("1 1:1\n10 1:1\n2 1:1\n"));
  EXPECT_EQ(losses, (std::vector<double>{0, 1, 2, 5, 6, 0, 3, 0, 4}));
  EXPECT_EQ(train(kExamples).settings.at("loss"), "cost-matrix");
}

TEST_F(MulticlassDriver, ReadsCostsInTheOrderOfAHeaderThatMayNameMoreClasses) {
  set("cost-matrix", file("costs", "10 x 1 2\n0 9 6 5.5\n9 0 9 9\n2 9 0 1\n4 9 3 0\n").path);
  const auto losses = losses_of(*read("1 1:1\n10 1:1\n2 1:1\n"));
  EXPECT_EQ(losses, (std::vector<double>{0, 1, 2, 6, 5.5, 0, 3, 0, 4}));
}

TEST_F(MulticlassDriver, RefusesBadCosts) {
  EXPECT_EQ(cost_error(""), "costs: is empty; expected one line of costs per class");
  EXPECT_EQ(cost_error("0 1\n1 0\n"),
            "costs: costs of 2 classes, but the training data have 3; name the classes in a first "
            "line if the table has more");
  EXPECT_EQ(cost_error("0 1 1\n1 0\n"),
            "costs:2: 2 columns, but the lines before have 3; the table has as many columns as "
            "classes");
  EXPECT_EQ(cost_error("0 1 1\n1 0 1\n"),
            "costs: 2 lines of 3 columns; expected as many lines as columns, or one more with the "
            "names of the classes first");
  EXPECT_EQ(cost_error("1 2 3\n0 1 1\n1 0 1\n1 1 0\n"),
            "costs:1: class '10' of the training data is missing; give its costs");
  EXPECT_EQ(cost_error("1 2 2\n0 1 1\n1 0 1\n1 1 0\n"), "costs:1: a class is named twice");
  for (const char* cost : {"-1", "nan", "inf", "x"}) {
    EXPECT_EQ(cost_error(std::string("0 1 1\n") + cost + " 0 1\n1 1 0\n"),
              std::string("costs:2: cost '") + cost + "' is not a finite number of at least 0");
  }
  EXPECT_EQ(cost_error("0 1 1\n1 0 1\n1 1 0.5\n"),
            "costs:3: the right class costs 0.5; the diagonal must be 0");
  set("cost-matrix", "");
  set("loss", "cost-matrix");
  EXPECT_THROW(read(kExamples), OptionError);
}

TEST_F(MulticlassDriver, RefusesModelsThatDoNotFitTogether) {
  const ModelRecord good = train(kExamples);
  EXPECT_NO_THROW(driver_->open(good));
  const auto refuses = [&](auto spoil) { expect_refused(good, spoil); };
  refuses([](ModelRecord& model) { model.task = "sequence"; });
  refuses([](ModelRecord& model) { model.settings.erase("loss"); });
  refuses([](ModelRecord& model) { model.settings["bias"] = "perhaps"; });
  refuses([](ModelRecord& model) { model.lists["labels"] = {}; });
  refuses([](ModelRecord& model) { model.lists["labels"] = {"1", "1", "2"}; });
  refuses([](ModelRecord& model) { model.numbers.erase("features"); });
  refuses([](ModelRecord& model) { model.numbers["features"] = {9, 1}; });
  refuses([](ModelRecord& model) { model.numbers["features"] = {0, 1}; });
  refuses([](ModelRecord& model) { model.numbers["features"] = {1, std::int64_t{1} << 31}; });
  refuses([](ModelRecord& model) { model.w.pop_back(); });
  refuses([](ModelRecord& model) { model.settings["bias"] = "yes"; });
}

}  // namespace
}  // namespace gapwise::internal
