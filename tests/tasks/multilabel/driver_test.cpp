#include "tasks/driver_test.h"

#include <gtest/gtest.h>

#include "gapwise/train.h"
#include "support/reading.h"
#include "tasks/multilabel/metrics.h"

namespace gapwise::internal {
namespace {

/// Labels 2 and 10 are told by features 1 and 9; b is on where both are.
constexpr const char* kExamples =
    "2,b,10 1:1 9:1\n2 1:1.5 9:-1\n10 1:-1 9:2\n 1:-1 9:-2\n10,2,b 1:2 9:1.5\n1:-2 9:-1\n";
constexpr const char* kPredictions = "2,10,b\n2\n10\n\n2,10,b\n\n";

constexpr const char* kXml = "<labels><label name=\"wet\"/><label name=\"hot day\"/></labels>";
const std::string kHeader =
    "@relation x\n@attribute wet {0,1}\n@attribute rain numeric\n@attribute sky {blue, grey}\n"
    "@attribute 'hot day' {0,1}\n@attribute june {0,1}\n@data\n";
const std::string kRows =
    "1,2.5,grey,0,0\n0,0,blue,1,1\n1,1,grey,0,1\n{2 blue,3 1,4 1}\n{0 1,1 3,2 grey}\n";

class MultilabelDriver : public DriverTest {
 protected:
  MultilabelDriver() : DriverTest("multilabel") {}

  void use_xml(const std::string& text) { set("label-xml", file("xml", text).path); }
  ModelRecord train(const std::string& text) {
    const auto training = read(text);
    TrainOptions options;
    options.lambda = Lambda::of(0.01);
    options.relative_gap = 0.01;
    options.threads = 1;
    return training->make_model(gapwise::train(training->problem(), options).w);
  }
};

TEST_F(MultilabelDriver, DescribesItsData) {
  EXPECT_EQ(driver_->name(), "multilabel");
  EXPECT_EQ(read(kExamples)->describe(), "6 examples, 3 labels, 3 attributes");
  EXPECT_EQ(read(kExamples)->problem().dimension(), 3 * 3 + 3);
  set("bias", "no");
  set("couplings", "none");
  EXPECT_EQ(read(kExamples)->problem().dimension(), 2 * 3);
}

TEST_F(MultilabelDriver, FindsTheSetsItWasTrainedOn) {
  for (const char* loss : {"hamming", "normalized-hamming"}) {
    set("loss", loss);
    const ModelRecord model = train(kExamples);
    EXPECT_EQ(predict(model, kExamples), kPredictions);
    EXPECT_EQ(predict(model, gzip(kExamples)), kPredictions);
    EXPECT_EQ(evaluate(model, kExamples),
              (Metrics{{.name = "hamming_accuracy", .value = 1.0, .is_main = true},
                       {.name = "micro_f1", .value = 1.0},
                       {.name = "macro_f1", .value = 1.0},
                       {.name = "exact", .value = 1.0},
                       {.name = "proven_optimal", .value = 1.0}}));
    EXPECT_EQ(model.lists.at("labels"), (Texts{"2", "10", "b"}));
    EXPECT_EQ(model.settings.at("loss"), loss);
  }
}

TEST_F(MultilabelDriver, PredictsWithoutLabelsAndCountsUnknownOnes) {
  const ModelRecord model = train(kExamples);
  EXPECT_EQ(predict(model, "1:1 9:1 77:3\nzebra 1:-1 9:2\n"), "2,10,b\n10\n");
  const Metrics metrics = evaluate(model, "10,zebra 1:-1 9:2\n");
  EXPECT_DOUBLE_EQ(metrics[0].value, 3.0 / 4.0);
  EXPECT_DOUBLE_EQ(metrics[1].value, 2.0 / 3.0);
  EXPECT_EQ(metrics[3].value, 0.0);
}

TEST_F(MultilabelDriver, TakesEqualNumbersForTheSameLabel) {
  EXPECT_EQ(train("1,2 1:1\n+1 1:2\n2.0 2:1\n").lists.at("labels"), (Texts{"1", "2"}));
}

TEST_F(MultilabelDriver, ReadsArffWithItsXml) {
  use_xml(kXml);
  const auto training = read(kHeader + kRows);
  EXPECT_EQ(training->describe(), "5 examples, 2 labels, 5 attributes");
  const ModelRecord model = train(kHeader + kRows);
  EXPECT_EQ(model.settings.at("format"), "arff");
  EXPECT_EQ(model.lists.at("labels"), (Texts{"wet", "hot day"}));
  EXPECT_EQ(model.lists.at("attributes"), (Texts{"rain", "sky=blue", "sky=grey", "june"}));
  EXPECT_EQ(predict(model, kHeader + kRows), "wet\n'hot day'\nwet\n'hot day'\nwet\n");
  EXPECT_EQ(evaluate(model, kHeader + kRows)[3].value, 1.0);
}

TEST_F(MultilabelDriver, FindsArffFeaturesByTheirNames) {
  use_xml(kXml);
  const ModelRecord model = train(kHeader + kRows);
  const std::string shuffled =
      "@attribute other {x,y,z}\n@attribute sky {white, grey, blue}\n@attribute rain real\n@data\n"
      "x,blue,0\ny,grey,2\n";
  EXPECT_EQ(predict(model, shuffled), "'hot day'\nwet\n");
  EXPECT_NE(message_of([&] {
              evaluate(model, shuffled);
            }).find("label 'wet' is not among the attributes"),
            std::string::npos);
}

TEST_F(MultilabelDriver, TakesUnlistedSparseValuesForTheFirstOne) {
  use_xml("<labels><label name='l'/></labels>");
  const std::string head = "@attribute c {u,v}\n@attribute n numeric\n@attribute l {1,0}\n@data\n";
  set("bias", "no");
  const auto sparse = read(head + "{1 2}\n{0 v,2 0}\n");
  const auto dense = read(head + "u,2,1\nv,0,0\n");
  EXPECT_EQ(sparse->problem().fingerprint(), dense->problem().fingerprint());
}

TEST_F(MultilabelDriver, ArffAndSvmlightOfTheSameDataAreTheSameProblem) {
  use_xml(kXml);
  const auto arff = read(kHeader + kRows);
  set("label-xml", "");
  const auto svmlight = read("0 1:2.5 3:1\n1 2:1 4:1\n0 1:1 3:1 4:1\n1 2:1 4:1\n0 1:3 3:1\n");
  EXPECT_EQ(arff->problem().fingerprint(), svmlight->problem().fingerprint());
}

TEST_F(MultilabelDriver, TakesQuestionMarksForLabelsOnlyWhenPredicting) {
  use_xml(kXml);
  const ModelRecord model = train(kHeader + kRows);
  EXPECT_EQ(predict(model, kHeader + "?,0,blue,?,1\n"), "'hot day'\n");
  EXPECT_EQ(complaint(kHeader + "?,0,blue,?,1\n"), "train:8: label 'wet' is '?'; expected 1 or 0");
}

TEST_F(MultilabelDriver, RefusesBadLines) {
  EXPECT_EQ(complaint(""),
            "train: is empty; expected 'label,label,... index:value ...' on each line, or an ARFF "
            "file");
  EXPECT_EQ(complaint("# nothing\n").substr(0, 25), "train: holds no examples;");
  EXPECT_EQ(complaint("1:2\n2:1\n"), "train: no example has a label; there is nothing to learn");
  EXPECT_EQ(complaint("1 1:1\n1,,2 1:1\n"),
            "train:2: '1,,2' has an empty label; separate labels by single commas");
  EXPECT_EQ(complaint("1,2,1.0 1:1\n"), "train:1: label '1' comes twice; leave one of the two out");
  EXPECT_EQ(complaint("1, 1:1\n"),
            "train:1: '1,' has an empty label; separate labels by single commas");
  EXPECT_EQ(complaint("nan 1:1\n").substr(0, 24), "train:1: label 'nan' is ");
  EXPECT_EQ(complaint("1 0:1\n"),
            "train:1: index 0 is not between 1 and 2147483647; number the features from 1");
  EXPECT_EQ(complaint("1 2:1 1:1\n"),
            "train:1: index 1 comes after 2; sort the features of each line by index");
}

TEST_F(MultilabelDriver, RefusesBadArffData) {
  use_xml(kXml);
  EXPECT_EQ(complaint(kHeader + "2,0,blue,0,0\n"), "train:8: label 'wet' is '2'; expected 1 or 0");
  EXPECT_EQ(complaint(kHeader + "1,0,red,0,0\n"),
            "train:8: 'red' is not one of the values of attribute 'sky'; correct it or declare it");
  EXPECT_EQ(complaint(kHeader + "1,nan,blue,0,0\n"),
            "train:8: value 'nan' of attribute 'rain' is not a finite number of at most 1e+100 in "
            "size; correct or rescale it");
  EXPECT_EQ(complaint(kHeader + "1,?,blue,0,0\n"),
            "train:8: the value of attribute 'rain' is missing; fill it in or leave out the row");
  EXPECT_EQ(complaint(kHeader), "train: holds no examples; expected rows behind '@data'");
  EXPECT_EQ(complaint("@attribute wet {0,1}\n@data\n1\n"),
            "train:2: label 'hot day' is not among the attributes; add it, or take it out of the "
            "list of labels");
  use_xml("<labels><label name='sky'/></labels>");
  EXPECT_EQ(complaint(kHeader + kRows),
            "train:7: the values of label 'sky' must be 0 and 1; change its type to {0,1}");
  use_xml("<labels><label name='l'/></labels>");
  EXPECT_EQ(complaint("@attribute a {x,y}\n@attribute a=x real\n@attribute l {0,1}\n@data\n"),
            "train:4: an attribute has the name of another one with '=' and a value behind it; "
            "rename it");
}

TEST_F(MultilabelDriver, RefusesOptionsThatDoNotFit) {
  const auto option_error = [&](const auto& data) {
    return message_of<OptionError>([&] { read(data); });
  };
  EXPECT_EQ(option_error(kHeader + kRows),
            "format arff needs label-xml FILE, which tells the attributes that are labels");
  use_xml(kXml);
  EXPECT_EQ(option_error(kExamples),
            "label-xml is for format arff; labels of format svmlight stand in front of each line");
  DataSource source = file("train", kExamples);
  source.format = "conll";
  EXPECT_EQ(option_error(source), "format 'conll' is not one of svmlight, arff");
  source.format = "";
  source.folds = "1";
  EXPECT_EQ(
      option_error(source),
      "format svmlight says of no example which fold it is in, so none can be chosen; keep test "
      "data in a file of their own");
}

TEST_F(MultilabelDriver, RefusesTooManyCoupledLabels) {
  std::string text;
  for (int l = 0; l <= 1000; ++l) text += std::to_string(l) + " 1:1\n";
  EXPECT_EQ(complaint(text),
            "train: 1001 labels are too many to give each pair a weight, 1000 are allowed; train "
            "with couplings none");
  set("couplings", "none");
  EXPECT_EQ(read(text)->problem().dimension(), 2002);
}

TEST_F(MultilabelDriver, ShowsTheLargestWeights) {
  const auto tables = driver_->open(train(kExamples))->top_weights(1);
  ASSERT_EQ(tables.size(), 4U);
  EXPECT_EQ(tables[0].title, "label 2");
  EXPECT_EQ(tables[0].rows[0].first, "1");
  EXPECT_EQ(tables[1].rows[0].first, "9");
  EXPECT_EQ(tables[3].title, "pairs");
  set("couplings", "none");
  EXPECT_EQ(driver_->open(train(kExamples))->top_weights(1).size(), 3U);
  use_xml(kXml);
  const auto named = driver_->open(train(kHeader + kRows))->top_weights(1);
  EXPECT_EQ(named[0].title, "label wet");
  EXPECT_EQ(named[0].rows[0].first, "rain");
}

TEST_F(MultilabelDriver, MakesKernelModels) {
  const auto training = read(kExamples);
  const auto inputs = training->problem().kernel_inputs();
  ASSERT_NE(inputs, nullptr);
  EXPECT_EQ(inputs->num_labels(), 3);
  const KernelExpansion expansion{{}, 3, {0, 2}, {1.0, 0.0, 0.5, 0.0, 1.0, 0.0}, {0.0, 0.25, -2.0}};
  const ModelRecord model = training->make_kernel_model(expansion);
  // The input (1, 1) and the bias have products 3 and 2 with the support: 3, 2 and 1.5 for the
  // labels.
  EXPECT_EQ(predict(model, "1:1 9:1\n"), "2,10\n");
  EXPECT_EQ(predict(model, "1:-1 9:-2\n"), "\n");
}

TEST_F(MultilabelDriver, RefusesModelsThatDoNotFitTogether) {
  use_xml(kXml);
  const ModelRecord good = train(kHeader + kRows);
  EXPECT_NO_THROW(driver_->open(good));
  const auto refuses = [&](auto spoil) { expect_refused(good, spoil); };
  refuses([](ModelRecord& model) { model.task = "sequence"; });
  refuses([](ModelRecord& model) { model.settings["format"] = "conll"; });
  refuses([](ModelRecord& model) { model.settings["loss"] = "zero-one"; });
  refuses([](ModelRecord& model) { model.settings.erase("couplings"); });
  refuses([](ModelRecord& model) { model.settings["couplings"] = "none"; });
  refuses([](ModelRecord& model) { model.settings["bias"] = "no"; });
  refuses([](ModelRecord& model) { model.lists["labels"] = {"a", "a"}; });
  refuses([](ModelRecord& model) { model.lists["labels"] = {"a", "b", "c"}; });
  refuses([](ModelRecord& model) { model.lists.erase("attributes"); });
  refuses([](ModelRecord& model) { model.lists["attributes"].pop_back(); });
  refuses([](ModelRecord& model) { model.lists["attributes"][0] = model.lists["attributes"][1]; });
  refuses([](ModelRecord& model) { model.numbers["features"][0] = 0; });
  refuses([](ModelRecord& model) { model.w.pop_back(); });
}

TEST(MultilabelMetrics, CountsAsDocumented) {
  MultilabelMetrics metrics(3);
  std::vector<double> counts(metrics.num_counts());
  using Set = std::vector<std::uint8_t>;
  metrics.count(Set{1, 0, 0}, Set{1, 1, 0}, 0, true, counts);
  metrics.count(Set{0, 1, 0}, Set{0, 1, 0}, 0, false, counts);
  EXPECT_EQ(metrics.errors(counts), 1.0);
  const Metrics result = metrics.metrics(counts);
  EXPECT_EQ(result[0].name, "hamming_accuracy");
  EXPECT_DOUBLE_EQ(result[0].value, 5.0 / 6.0);
  EXPECT_EQ(result[1].name, "micro_f1");
  EXPECT_DOUBLE_EQ(result[1].value, 4.0 / 5.0);
  EXPECT_EQ(result[2].name, "macro_f1");
  EXPECT_DOUBLE_EQ(result[2].value, (1.0 + 2.0 / 3.0 + 0.0) / 3.0);
  EXPECT_EQ(result[3].name, "exact");
  EXPECT_DOUBLE_EQ(result[3].value, 0.5);
  EXPECT_EQ(result[4].name, "proven_optimal");
  EXPECT_DOUBLE_EQ(result[4].value, 0.5);
}

/// Exact inference over 100 labels that are all coupled is dear.
TEST_F(MultilabelDriver, RecommendsTheRelaxationForManyLabels) {
  std::string text;
  for (int label = 0; label < 100; ++label) text += std::to_string(label) + " 1:1\n";
  const char* notice = "the relaxation trains much faster (option inference)";
  EXPECT_TRUE(testing::says(read(text)->describe(), notice));
  const auto is_silent = [&] {
    return read(text)->describe() == "100 examples, 100 labels, 2 attributes";
  };
  set("inference", "lp");
  EXPECT_TRUE(is_silent());
  set("inference", "exact");
  set("couplings", "none");
  EXPECT_TRUE(is_silent());
}

}  // namespace
}  // namespace gapwise::internal
