#include "tasks/driver_test.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/reading.h"

namespace gapwise::internal {
namespace {

constexpr const char* kPairs =
    "red house ||| casa rossa ||| 1-2 2-1 ||| a: 1-2 2-1 ||| b: 1-1 2-1\n"
    "the red man ||| uomo rosso ||| 2-2 3p1 ||| a: 1-2 3-1 ||| b: 2-2\n"
    "2 . ||| 2 . ||| 1-1 2-2 ||| a: 1-1 ||| b: 2-2\n";

class AlignmentDriver : public DriverTest {
 protected:
  AlignmentDriver() : DriverTest("alignment") {}

  static ModelRecord train(const TrainingSet& set) {
    return set.make_model(perceptron_weights(set.problem(), 60));
  }
  /// A model that links the same words and nothing else.
  ModelRecord same_words() {
    const auto set = read(kPairs);
    std::vector<double> w(static_cast<std::size_t>(set->problem().dimension()), 1.0);
    ModelRecord model = set->make_model(w);
    const Texts& names = model.lists.at("attributes");
    for (std::size_t k = 0; k < names.size(); ++k) {
      model.w[k] = names[k] == "same word" ? 1.0 : 0.0;
    }
    return model;
  }
};

TEST_F(AlignmentDriver, LinksWhatItWasTrainedOn) {
  const auto set = read(kPairs);
  EXPECT_TRUE(set->describe().starts_with("3 pairs, 14 links, ")) << set->describe();
  const ModelRecord model = train(*set);
  const DataSource source = file("test", gzip(kPairs));
  EXPECT_EQ(predict(model, source).substr(0, 8), "1-2 2-1\n");
  const Metrics metrics = evaluate(model, source);
  EXPECT_EQ(metrics[0], (Metric{.name = "precision", .value = 1.0}));
  EXPECT_EQ(metrics[1], (Metric{.name = "recall", .value = 1.0}));
  EXPECT_EQ(metrics[2],
            (Metric{.name = "aer", .value = 0.0, .better = Better::kLower, .is_main = true}));
}

TEST_F(AlignmentDriver, CountsErrorsAgainstSureAndPossibleLinks) {
  const ModelRecord model = same_words();
  // Predicted: x-x of the first pair (possible), y-y (wrong), z-z (sure), three links; gold: two
  // sure ones and a possible one.
  const DataSource source = file("test",
                                 "x y ||| x y ||| 1p1 2-1 ||| a: ||| b:\n"
                                 "z ||| z ||| 1-1 ||| b: ||| a: ||| c: 1-1\n");
  EXPECT_NE(message_of([&] { evaluate(model, source); }).find("other given alignments"),
            std::string::npos);
  const Metrics metrics = evaluate(model, file("test",
                                               "x y ||| x y ||| 1p1 2-1 ||| b: ||| a: ||| c:\n"
                                               "z ||| z ||| 1-1 ||| b: ||| a: ||| c: 1-1\n"));
  EXPECT_DOUBLE_EQ(metrics[0].value, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(metrics[1].value, 1.0 / 2.0);
  EXPECT_DOUBLE_EQ(metrics[2].value, 1.0 - (1.0 + 2.0) / (3.0 + 2.0));
}

TEST_F(AlignmentDriver, HasPerfectFiguresWhereThereIsNothingToFind) {
  const Metrics metrics = evaluate(same_words(), file("test", "x ||| y ||| ||| a: ||| b:\n"));
  EXPECT_EQ(metrics[0].value, 1.0);
  EXPECT_EQ(metrics[1].value, 1.0);
  EXPECT_EQ(metrics[2].value, 0.0);
}

TEST_F(AlignmentDriver, PredictsWithoutGoldButDoesNotEvaluate) {
  const ModelRecord model = same_words();
  const DataSource source =
      file("test", "x a b ||| b x ||| ? ||| a: ||| b:\nx ||| y ||| ? ||| a: ||| b:\n");
  EXPECT_EQ(predict(model, source), "1-2 3-1\n\n");
  EXPECT_NE(message_of([&] { evaluate(model, source); }).find("test:1: the pair has no gold links"),
            std::string::npos);
}

TEST_F(AlignmentDriver, WantsTheAlignmentsOfItsTraining) {
  EXPECT_NE(message_of([&] {
              predict(same_words(), file("test", "x ||| x ||| ? ||| a: 1-1\n"));
            }).find("test:1: alignment 'b', which the model looks at, is missing"),
            std::string::npos);
}

TEST_F(AlignmentDriver, TakesPairsByTheirNumberButCountsWordsInAll) {
  DataSource source = file("train", kPairs);
  source.folds = "1,3";
  const auto some = read(source);
  EXPECT_EQ(some->problem().num_blocks(), 2);
  const ModelRecord model = train(*some);
  EXPECT_EQ(model.lists.at("dice-sources"), train(*read(kPairs)).lists.at("dice-sources"));
  source.folds = "3";
  EXPECT_EQ(std::ranges::count(predict(model, source), '\n'), 1);
  source.folds = "7-9";
  EXPECT_NE(complaint(source).find("none of its pairs has a number of 7-9; pairs count from 1"),
            std::string::npos);
}

TEST_F(AlignmentDriver, CountsWordsInAnotherTextToo) {
  set("bitext", file("more", "tree ||| albero\ndog ||| cane\n").path);
  const Texts words =
      read(kPairs)->make_model(std::vector<double>(1000, 0.0)).lists.at("dice-sources");
  EXPECT_NE(std::ranges::find(words, "tree"), words.end());
  file("en", "tree\n");
  file("it", "albero\ncane\n");
  set("bitext", folder_.path("en") + "," + folder_.path("it"));
  EXPECT_NE(complaint(kPairs), "no error");
  set("bitext", "a,b,c");
  EXPECT_THROW(read(kPairs), OptionError);
}

TEST_F(AlignmentDriver, ReadsFilesSideBySide) {
  file("t.gold", "1-2 2-1\n1-1\n");
  file("t.x.talp", "1-0\n0-0\n");
  const DataSource source = file("t.pairs", "red house ||| casa rossa\nx ||| x\n", "parallel");
  set("given", "x.talp:swapped");
  const ModelRecord model = train(*read(source));
  EXPECT_EQ(model.lists.at("given"), (Texts{"x.talp:swapped"}));
  EXPECT_EQ(predict(model, {source.path, "", ""}), "0-1 1-0\n0-0\n");
  EXPECT_EQ(evaluate(model, source)[2].value, 0.0);
}

TEST_F(AlignmentDriver, MatchesPoints) {
  file("xy.txt", "1 1 0 0\n1 2 5 5\n2 1 1 0\n2 2 6 5\n3 2 4 5\n3 7 -1 0\n");
  file("shape.txt.gz", gzip("1 1 3\n1 2 1\n2 1 3\n2 2 1\n3 7 3\n3 2 1\n"));
  set("points", "xy.txt,shape.txt.gz");
  const DataSource source = file("pairs", "0 train 1 2\n10 test 2 3\n", "points");
  const auto set = read(source);
  EXPECT_EQ(set->problem().dimension(), 4);
  std::vector<double> w(4, -1.0);
  w[0] = 0.8;
  const ModelRecord model = set->make_model(w);
  EXPECT_EQ(model.lists.at("attributes"), (Texts{"bias", "xy 1", "xy 2", "shape 1"}));
  EXPECT_EQ(predict(model, source), "1 2 1-1 2-2\n2 3 1-7 2-2\n");
  const Metrics metrics = evaluate(model, source);
  EXPECT_DOUBLE_EQ(metrics[0].value, 3.0 / 4.0);
  EXPECT_DOUBLE_EQ(metrics[1].value, 1.0);
  ModelRecord other = model;
  other.lists["points"] = {"xy.txt"};
  EXPECT_NE(message_of([&] { predict(other, source); }).find("its points have 2 numbers"),
            std::string::npos);
}

TEST_F(AlignmentDriver, RefusesBadPoints) {
  const DataSource source = file("pairs", "1 2\n", "points");
  EXPECT_THROW(read(source), OptionError);
  set("points", "xy");
  const auto point_complaint = [&](const std::string& points) {
    file("xy", points);
    return complaint(source);
  };
  EXPECT_EQ(point_complaint(""),
            "xy: holds no points; expected 'set point value ...' on each line");
  EXPECT_EQ(point_complaint("1 1\n"),
            "xy:1: expected 'set point value ...' with whole numbers for set and point");
  EXPECT_NE(point_complaint("1 -1 3\n").find("xy:1: expected"), std::string::npos);
  EXPECT_NE(point_complaint("1 1 3\n1 2 3 4\n").find("xy:2: 2 values, but the lines before have 1"),
            std::string::npos);
  EXPECT_EQ(point_complaint("1 1 3\n1 1 4\n"),
            "xy:2: point 1 of set 1 comes twice; leave one of the two out");
  EXPECT_NE(point_complaint("1 1 nan\n").find("xy:1: value 'nan' is not a finite number"),
            std::string::npos);
  EXPECT_NE(point_complaint("1 1 1e13\n").find("is not a finite number of at most"),
            std::string::npos);
  EXPECT_EQ(point_complaint("1 1 3\n"),
            "pairs:1: set 2 has no points; add it to the files of points");
  set("points", "xy,ab");
  file("ab", "1 1 3\n2 2 3\n");
  EXPECT_NE(point_complaint("1 1 3\n2 1 3\n").find("ab: other points of set 2"), std::string::npos);
  EXPECT_NE(point_complaint("1 1 3\n").find("ab: other points of set 2"), std::string::npos);
  EXPECT_NE(point_complaint("1 1 3\n2 2 1\n3 1 1\n").find("ab: 2 sets of points, but 3"),
            std::string::npos);
  set("points", "missing");
  EXPECT_NE(point_complaint("").find("missing"), std::string::npos);
}

TEST_F(AlignmentDriver, RefusesBadTrainingData) {
  EXPECT_EQ(complaint(""), "train: is empty; expected a pair on each line");
  EXPECT_EQ(complaint("\n\n"), "train: holds no pairs; expected a pair on each line");
  EXPECT_NE(complaint("a ||| b\n").find("train:1: the pair has no gold links"), std::string::npos);
  EXPECT_THROW(read({"train", "conll", ""}), OptionError);
  set("cost-recall", "-1");
  EXPECT_THROW(read(kPairs), OptionError);
}

TEST_F(AlignmentDriver, PredictsNothingForNothing) {
  const ModelRecord model = same_words();
  EXPECT_EQ(predict(model, ""), "");
  EXPECT_EQ(predict(model, "\n"), "");
  EXPECT_NE(message_of([&] { evaluate(model, ""); }).find("test: is empty; expected a pair"),
            std::string::npos);
  DataSource source = file("test", kPairs);
  source.folds = "9";
  EXPECT_EQ(predict(model, source), "");
  EXPECT_NE(message_of([&] { evaluate(model, source); }).find("none of its pairs"),
            std::string::npos);
}

TEST_F(AlignmentDriver, SaysTheLinksThatItWritesCountedFromZero) {
  const std::string text = "x a b ||| b x ||| ? ||| a: ||| b:\nx ||| y ||| ? ||| a: ||| b:\n";
  const Answers found = answers(same_words(), file("test", text));
  std::vector<std::vector<Index>> links;
  for (const Output& output : found.outputs) {
    links.push_back(output.numbers);
    EXPECT_TRUE(output.labels.empty());
  }
  EXPECT_EQ(found.text, "1-2 3-1\n\n");
  EXPECT_EQ(links, (std::vector<std::vector<Index>>{{0, 1, 2, 0}, {}}));
}

TEST_F(AlignmentDriver, KnowsPairsWhenItSeesThem) {
  EXPECT_TRUE(driver_->looks_familiar("the house ||| la maison"));
  EXPECT_TRUE(driver_->looks_familiar("\na ||| b ||| 1-1\r\na ||| b |||\nc |"))
      << "a line that is cut off";
  for (const char* other :
       {"", "\n", "the DT\n||| SYM\n", "a |||\n", "||| b\n", "a ||| ||| 1-1\n", "a ||| b\nc\n"}) {
    EXPECT_FALSE(driver_->looks_familiar(other)) << other;
  }
}

TEST_F(AlignmentDriver, ShowsTheStrongestWeights) {
  const auto tables = driver_->open(same_words())->top_weights(3);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].title, "links");
  EXPECT_EQ(tables[0].rows, (std::vector<std::pair<std::string, double>>{{"same word", 1.0}}));
}

TEST_F(AlignmentDriver, RefusesModelsThatDoNotFitTogether) {
  const ModelRecord good = same_words();
  EXPECT_NO_THROW(driver_->open(good));
  const auto refuses = [&](auto spoil) { expect_refused(good, spoil); };
  refuses([](ModelRecord& model) { model.task = "sequence"; });
  refuses([](ModelRecord& model) { model.settings.erase("format"); });
  refuses([](ModelRecord& model) { model.settings["format"] = "conll"; });
  refuses([](ModelRecord& model) { model.settings.erase("gold"); });
  refuses([](ModelRecord& model) { model.lists.erase("given"); });
  refuses([](ModelRecord& model) { model.lists["spreads"] = {"0"}; });
  refuses([](ModelRecord& model) { model.lists["spreads"] = {"x"}; });
  refuses([](ModelRecord& model) { model.lists["attributes"].push_back("bias"); });
  refuses([](ModelRecord& model) { model.w.pop_back(); });
  refuses([](ModelRecord& model) { model.lists["dice-sources"].push_back("red"); });
  refuses([](ModelRecord& model) { model.numbers.erase("dice"); });
  refuses([](ModelRecord& model) { model.numbers["dice"].pop_back(); });
  refuses([](ModelRecord& model) { model.numbers["dice"][0] = 1000; });
  refuses([](ModelRecord& model) { model.numbers["dice"][1] = -1; });
  refuses([](ModelRecord& model) { model.numbers["dice"][2] = 1'000'001; });
}

}  // namespace
}  // namespace gapwise::internal
