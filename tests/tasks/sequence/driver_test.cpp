#include "tasks/driver_test.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tasks/sequence/problem.h"
#include "tasks/sequence/reading.h"
#include "tasks/sequence/training.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

constexpr const char* kTagged =
    "the DT B-NP\ndog NN I-NP\nbarks VBZ O\n\n"
    "a DT B-NP\ncat NN I-NP\nsleeps VBZ O\nwell RB O\n\n"
    "dogs NNS B-NP\nbark VBP O\n";

class SequenceDriver : public DriverTest {
 protected:
  SequenceDriver() : DriverTest("sequence") {}
};

TEST_F(SequenceDriver, IsInTheRegistry) {
  EXPECT_EQ(task_names().front(), "sequence");
  EXPECT_EQ(driver_->name(), "sequence");
  EXPECT_TRUE(message_of<OptionError>([] {
                make_task_driver("parse");
              }).starts_with("task 'parse' is not one of sequence, multiclass"));
}

TEST_F(SequenceDriver, DescribesItsData) {
  EXPECT_EQ(read("1 1 0 a 01\n1 2 0 b 10\n2 1 0 a 01\n")->describe(),
            "2 sequences, 3 tokens, 2 labels, 3 attributes");
  write_file(folder_.path("t"), "U:%x[0,0]\nB:%x[0,0]\n");
  set("template", folder_.path("t"));
  EXPECT_EQ(read("a A\nb B\n")->describe(),
            "1 sequence, 2 tokens, 2 labels, 2 attributes, 1 edge attribute");
}

TEST_F(SequenceDriver, LabelsWhatItWasTrainedOn) {
  const ModelRecord model = train(kTagged);
  const Metrics metrics = evaluate(model, kTagged);
  ASSERT_EQ(metrics.size(), 6U);
  EXPECT_EQ(metrics[0].value, 0.0);
  EXPECT_EQ(metrics[2].value, 1.0);
  EXPECT_EQ(metrics[5], (Metric{.name = "f1", .value = 1.0, .is_main = true}));
}

TEST_F(SequenceDriver, AppendsAColumnToConllLines) {
  const ModelRecord model = train(kTagged);
  EXPECT_EQ(predict(model, "\nthe DT ?\ndog NN ?\n\n\na\tDT\tB-NP"),
            "\nthe DT ? B-NP\ndog NN ? I-NP\n\n\na\tDT\tB-NP\tB-NP\n");
  EXPECT_EQ(predict(model, "the DT\r\ndog NN\r\n\r\n"), "the DT B-NP\ndog NN I-NP\n\n")
      << "without labels";
}

TEST_F(SequenceDriver, WritesALabelPerCrfsuiteLine) {
  format_ = "crfsuite";
  const ModelRecord model = train("A\tx\nB\ty\n\nB\ty\nA\tx\n");
  EXPECT_EQ(predict(model, "A\ty\n?\tx\tnew:2\n\n\tx\n"), "B\nA\n\nA\n");
}

TEST_F(SequenceDriver, ReplacesTheLetterOfLettersLines) {
  const ModelRecord model = train("1 1 0 a 01\n1 2 0 b 10\n2 1 0 b 10\n2 2 0 a 01\n");
  EXPECT_EQ(predict(model, "7 1 3 ? 10\n7 2 3 ? 01\n"), "7 1 3 b 10\n7 2 3 a 01\n");
  DataSource fold = file("test", "7 1 3 ? 10\n8 1 4 ? 01\n");
  fold.folds = "4";
  EXPECT_EQ(predict(model, fold), "8 1 4 a 01\n");
}

TEST_F(SequenceDriver, CountsUnknownLabelsAsErrors) {
  const ModelRecord model = train(kTagged);
  const Metrics metrics = evaluate(model, "the DT B-NP\ndog NN I-NEW\nbarks VBZ O\n");
  EXPECT_DOUBLE_EQ(metrics[0].value, 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(metrics[1].value, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(metrics[4].value, 0.0) << "the unknown chunk and the cut one are both missed";
}

TEST_F(SequenceDriver, GivesTheSameForAnyNumberOfThreadsAndBatches) {
  const ModelRecord model = train(kTagged);
  std::string text;
  for (int k = 0; k < 30'000; ++k) {
    text += k % 3 == 0 ? "the DT B-NP\ndog NN O\n\n" : "a DT B-NP\ncat NN I-NP\nruns VBZ O\n\n";
  }
  const DataSource source = file("test", gzip(text));
  const auto predictor = driver_->open(model);
  const Metrics expected = predictor->evaluate(source, Threads(1));
  std::ostringstream lines;
  predictor->predict(source, Threads(1), [&](std::string_view part) { lines << part; });
  EXPECT_EQ(expected, predictor->evaluate(source, threads_));
  EXPECT_EQ(lines.str(), predict(model, source));
  EXPECT_DOUBLE_EQ(expected[2].value, 2.0 / 3.0);
  EXPECT_EQ(lines.str().size(), text.size() + 10'000 * (5 + 5) + 20'000 * (5 + 5 + 2));
}

TEST_F(SequenceDriver, LeavesOutWhatHasNoWeight) {
  format_ = "crfsuite";
  const auto set = read("A\tx\tz\nB\ty\tz\n");
  std::vector<double> w(static_cast<std::size_t>(set->problem().dimension()), 0.0);
  w[2 * 2 + 1] = 3.0;  // attribute y (third to appear), label B
  const ModelRecord model = set->make_model(w);
  EXPECT_EQ(model.lists.at("attributes"), (Texts{"y"}));
  EXPECT_EQ(model.w.size(), 1U * 2 + 2 + 2 + 4);
  EXPECT_EQ(model.w[1], 3.0);
  EXPECT_EQ(predict(model, "\tx\tz\n\ty\n"), "A\nB\n");
}

TEST_F(SequenceDriver, OrdersLabelsByTheirBytes) {
  EXPECT_EQ(train("x b\ny a\nz \xff\n").lists.at("labels"), (Texts{"a", "b", "\xff"}));
}

TEST_F(SequenceDriver, RoundTripsLabelsOfAnyBytes) {
  const ModelRecord model = train("w1 \xff\xfe\n\nw2 \xc3\n\nw2 \xc3\nw1 \xff\xfe\n");
  EXPECT_EQ(predict(model, "w2 x\nw1 x\n"), "w2 x \xc3\nw1 x \xff\xfe\n");
}

TEST_F(SequenceDriver, DropsRareAttributes) {
  SequenceSettings settings;
  settings.min_count = 2;
  format_ = "crfsuite";
  const NumberedSequences counted =
      read_sequences(file("train", "A\tx:2\tu\ty\nB\ty\tx\tz\n"), "", settings);
  EXPECT_EQ(counted.alphabets.nodes.names(), (Texts{"x", "y"}));
  const FeatureRow first = counted.data->nodes.row(0);
  EXPECT_EQ(first.size, 2U);
  EXPECT_EQ(std::vector<double>(first.values, first.values + 2), (std::vector<double>{2.0, 1.0}));
}

TEST_F(SequenceDriver, HashingGivesTheSameDataWithoutCollisions) {
  SequenceSettings plain;
  SequenceSettings hashed;
  hashed.hash_bits = 30;
  const DataSource source = file("train", kTagged);
  const NumberedSequences a = read_sequences(source, "", plain);
  const NumberedSequences b = read_sequences(source, "", hashed);
  ASSERT_EQ(a.alphabets.nodes.size(), b.alphabets.nodes.size());
  std::uint64_t hash_a = 0;
  std::uint64_t hash_b = 0;
  a.data->nodes.hash_into(hash_a);
  b.data->nodes.hash_into(hash_b);
  EXPECT_EQ(hash_a, hash_b);

  const ModelRecord dictionary = train(kTagged);
  set("hash-bits", "30");
  const ModelRecord buckets = train(kTagged);
  EXPECT_EQ(dictionary.w, buckets.w);
  EXPECT_FALSE(buckets.lists.contains("attributes"));
  EXPECT_EQ(buckets.numbers.at("buckets").size(), dictionary.lists.at("attributes").size());
  const std::string unseen = "a DT ?\nwhale NN ?\nsings VBZ ?\n";
  EXPECT_EQ(predict(dictionary, unseen), predict(buckets, unseen));
}

TEST_F(SequenceDriver, HashingIntoFewBucketsStillWorks) {
  set("hash-bits", "3");
  const ModelRecord model = train(kTagged);
  EXPECT_LE(model.numbers.at("buckets").size(), 8U);
  EXPECT_EQ(evaluate(model, kTagged).size(), 6U);
}

TEST_F(SequenceDriver, UsesEdgeAttributes) {
  write_file(folder_.path("t"), "B:%x[0,0]\n");
  set("template", folder_.path("t"));
  const ModelRecord model = train("s A\nx B\nx B\n\ns B\ny A\ny A\n");
  EXPECT_EQ(model.lists.at("edge-attributes").size(), 2U);
  const std::string out = predict(model, "s\nx\ny\n");
  EXPECT_NE(out.find("x B\ny A\n"), std::string::npos) << out;
}

TEST_F(SequenceDriver, WorksWithOneExampleAndWithoutFeatures) {
  EXPECT_EQ(predict(train("w A\n"), "w\n"), "w A\n");
  format_ = "crfsuite";
  EXPECT_EQ(predict(train("A\n"), "A\n"), "A\n");
  EXPECT_EQ(predict(train("A\nB\n"), "?\n?\n"), "A\nB\n");
}

TEST_F(SequenceDriver, RefusesDataWithoutSequences) {
  EXPECT_NE(complaint("").find("train: is empty; expected lines of columns"), std::string::npos);
  EXPECT_NE(complaint(gzip("")).find("is empty"), std::string::npos);
  EXPECT_NE(complaint("\n \n").find("holds no sequences"), std::string::npos);
  const ModelRecord model = train(kTagged);
  EXPECT_NE(message_of([&] { evaluate(model, ""); }).find("is empty"), std::string::npos);
  DataSource letters = file("train", "1 1 2 a 01\n2 1 5 a 01\n");
  letters.folds = "7-9";
  EXPECT_NE(complaint(letters).find("none of its 2 words is in folds 7-9; it has folds 2 to 5"),
            std::string::npos);
}

TEST_F(SequenceDriver, RefusesDataThatDoNotSuitTheModel) {
  const ModelRecord model = train(kTagged);
  EXPECT_NE(message_of([&] {
              predict(model, "a b c d\n");
            }).find("test:1: 4 columns, but the model was trained on 3"),
            std::string::npos);
  EXPECT_NE(message_of([&] { evaluate(model, "the DT\n"); }).find("trained on 3"),
            std::string::npos);
  const ModelRecord attributes = train("A\tx=1\n");
  DataSource source = file("test", "a A\n");
  source.format = "conll";
  EXPECT_NE(message_of<OptionError>([&] {
              predict(attributes, source);
            }).find("was trained on format crfsuite"),
            std::string::npos);
}

TEST_F(SequenceDriver, RefusesOptionsThatDoNotSuitTheFormat) {
  set("template", folder_.path("t"));
  EXPECT_NE(message_of<OptionError>([&] { read("1 1 0 a 01\n"); }).find("template is for"),
            std::string::npos);
  EXPECT_NE(complaint("a A\n").find("cannot be opened"), std::string::npos);
  set("template", "");
  for (const char* bits : {"0", "31", "-1"}) {
    set("hash-bits", bits);
    EXPECT_THROW(read("a A\n"), OptionError) << bits;
  }
}

TEST_F(SequenceDriver, AnExplicitFormatWins) {
  EXPECT_EQ(train("1 1 0 a 01\n").settings.at("format"), "letters");
  format_ = "conll";
  EXPECT_EQ(train("1 1 0 a 01\n").settings.at("format"), "conll");
}

TEST_F(SequenceDriver, RefusesModelsThatDoNotFitTogether) {
  const ModelRecord good = train(kTagged);
  const auto refused = [&](auto spoil) { expect_refused(good, spoil); };
  refused([](ModelRecord& m) { m.w.pop_back(); });
  refused([](ModelRecord& m) { m.w.clear(); });
  refused([](ModelRecord& m) { m.task = "parsing"; });
  refused([](ModelRecord& m) { m.lists["labels"].clear(); });
  refused([](ModelRecord& m) { m.lists.erase("labels"); });
  refused([](ModelRecord& m) { m.lists["labels"][1] = m.lists["labels"][0]; });
  refused([](ModelRecord& m) { m.lists["attributes"][1] = m.lists["attributes"][0]; });
  refused([](ModelRecord& m) { m.lists["attributes"].pop_back(); });
  refused([](ModelRecord& m) { m.lists.erase("attributes"); });
  refused([](ModelRecord& m) { m.lists["edge-attributes"].emplace_back("x"); });
  refused([](ModelRecord& m) { m.lists["template"] = {"U:%x[0,2]"}; });
  refused([](ModelRecord& m) { m.lists["template"] = {"nonsense"}; });
  refused([](ModelRecord& m) { m.lists["template"].clear(); });
  refused([](ModelRecord& m) { m.lists.erase("template"); });
  refused([](ModelRecord& m) { m.settings["format"] = "arff"; });
  refused([](ModelRecord& m) { m.settings.erase("format"); });
  refused([](ModelRecord& m) { m.settings["columns"] = "1"; });
  refused([](ModelRecord& m) { m.settings["columns"] = "99999999999999999999"; });
  refused([](ModelRecord& m) { m.settings["hash-bits"] = "64"; });
  refused([](ModelRecord& m) { m.settings["hash-bits"] = "16"; });
  refused([](ModelRecord& m) { m.settings["min-count"] = "x"; });
  refused([](ModelRecord& m) { m.settings["loss"] = "none"; });
  refused([](ModelRecord& m) { m.lists["labels"].resize(20'000, "x"); });
}

TEST_F(SequenceDriver, RefusesHashedModelsWithBadBuckets) {
  set("hash-bits", "8");
  const ModelRecord good = train(kTagged);
  for (const std::int64_t bucket : {std::int64_t{-1}, std::int64_t{256}, std::int64_t{1} << 60}) {
    ModelRecord bad = good;
    bad.numbers["buckets"][0] = bucket;
    EXPECT_NE(message_of([&] { driver_->open(bad); }).find("does not fit in 8 bits"),
              std::string::npos);
  }
  ModelRecord twice = good;
  twice.numbers["buckets"][0] = twice.numbers["buckets"][1];
  EXPECT_THROW(driver_->open(twice), InputError);
}

TEST_F(SequenceDriver, PredictsNothingForNothing) {
  const ModelRecord model = train(kTagged);
  EXPECT_EQ(predict(model, ""), "");
  EXPECT_EQ(predict(model, "\n"), "\n");
}

TEST_F(SequenceDriver, KnowsSequencesWhenItSeesThem) {
  EXPECT_TRUE(driver_->looks_familiar(kTagged));
  EXPECT_TRUE(driver_->looks_familiar("1996 CD\n. .\n\n"));
  EXPECT_TRUE(driver_->looks_familiar("1 1 0 a 01\n1 2 0 b 10\n2 1"));
  EXPECT_TRUE(driver_->looks_familiar("B-NP\tw=the\tbias\r\nO\tw=1:2\r\n\r\n"));
  for (const char* other :
       {"", "\n\n", "1\t1:0.5\t2:1\n2\t1:3\t3:1\n", "the DT B-NP\ndog NN I-NP\n",
        "It was a dark night.\n\nThe rain fell hard.\n", "the DT\ndog NN x\n\n",
        "a\tA\t2\tX\nb\tB\t0\tR\n\n", "1 2 3\n4 5 6\n\n", "1 1 0 a 01\n1 2 0 b 12\n"}) {
    EXPECT_FALSE(driver_->looks_familiar(other)) << other;
  }
}

TEST_F(SequenceDriver, ShowsItsStrongestWeights) {
  format_ = "crfsuite";
  const auto set = read("A\tx\ty\tz\nB\tu\n");
  const ChainLayout layout{4, 0, 2};
  std::vector<double> w(static_cast<std::size_t>(layout.dimension()), 0.0);
  const auto at = [&w](Index k) -> double& { return w[static_cast<std::size_t>(k)]; };
  at(layout.node(0)) = 1.0;   // x
  at(layout.node(1)) = 5.0;   // y
  at(layout.node(2)) = -2.0;  // z
  at(layout.node(3)) = -3.0;  // u
  at(layout.transition() + 1) = 0.5;
  at(layout.start() + 1) = -0.5;
  const auto tables = driver_->open(set->make_model(w))->top_weights(1);
  ASSERT_EQ(tables.size(), 5U);
  using Rows = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(tables[0].title, "label A");
  EXPECT_EQ(tables[0].rows, (Rows{{"y", 5.0}, {"u", -3.0}}));
  EXPECT_EQ(tables[1].title, "label B");
  EXPECT_TRUE(tables[1].rows.empty());
  EXPECT_EQ(tables[2].title, "transitions");
  EXPECT_EQ(tables[2].rows, (Rows{{"A -> B", 0.5}}));
  EXPECT_EQ(tables[3].title, "start");
  EXPECT_EQ(tables[3].rows, (Rows{{"B", -0.5}}));
  EXPECT_EQ(tables[4].title, "end");
}

}  // namespace
}  // namespace gapwise::internal
