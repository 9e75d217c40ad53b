#include "tasks/driver_test.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/reading.h"

namespace gapwise::internal {
namespace {

class ParsingDriver : public DriverTest {
 protected:
  ParsingDriver() : DriverTest("parsing") {}
  void SetUp() override { set("hash-bits", "14"); }

  std::string sample(Index sentences, std::uint64_t seed) {
    Rng rng(seed);
    return driver_->sample(sentences, rng);
  }
  ModelRecord train(const std::string& text) {
    const auto set = read(text);
    return set->make_model(perceptron_weights(set->problem(), 10));
  }
};

Metric uas(double value) {
  return {.name = "uas", .value = value, .is_main = true};
}

/// "The dog barks." and so on, with crossing arcs in the second sentence.
constexpr const char* kCrossing =
    "a\tA\t2\tx\nb\tB\t0\tr\nc\tC\t2\ty\n\n"
    "a\tA\t3\tx\nb\tB\t4\tx\nc\tC\t0\tr\nd\tD\t3\ty\n";

TEST_F(ParsingDriver, DescribesItsData) {
  const std::string text = read(kCrossing)->describe();
  EXPECT_TRUE(text.starts_with("2 sentences, 7 words, 3 labels, ")) << text;
  EXPECT_TRUE(text.ends_with(" features, 1 with crossing arcs")) << text;
  set("projective", "no");
  EXPECT_FALSE(read(kCrossing)->describe().ends_with("arcs"));
}

TEST_F(ParsingDriver, LearnsItsSample) {
  for (const char* projective : {"yes", "no"}) {
    set("projective", projective);
    const ModelRecord model = train(sample(200, 1));
    const Metrics metrics = evaluate(model, sample(200, 2));
    ASSERT_EQ(metrics.size(), 2U);
    EXPECT_EQ(metrics[0].name, "uas");
    EXPECT_EQ(metrics[1].name, "las");
    EXPECT_GT(metrics[0].value, 0.9);
    EXPECT_GT(metrics[1].value, 0.9);
    EXPECT_LE(metrics[1].value, metrics[0].value);
    EXPECT_LT(metrics[0].value, 1.0);  // some attachments are up to chance
  }
}

TEST_F(ParsingDriver, PredictsCrossingArcsWhereTheyAreAllowed) {
  set("projective", "no");
  EXPECT_EQ(predict(train(kCrossing), kCrossing), kCrossing);
  set("projective", "yes");
  EXPECT_NE(predict(train(kCrossing), kCrossing), kCrossing);
}

TEST_F(ParsingDriver, KeepsEverythingButHeadLabelAndEnhancedDependencies) {
  const std::string text =
      "# a comment\n"
      "1-2\tab\t_\t_\t_\t_\t_\t_\t_\tx\n"
      "1\ta\ta\tA\t_\tF=1\t2\tx\t2:x\tM=1\n"
      "1.1\tghost\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
      "2\tb\tb\tB\t_\t_\t0\tr\t0:r\t_\n"
      "\n\n"
      "1\tb\tb\tB\t_\t_\t0\tr\t_\t_\n";
  const ModelRecord model = train(text);
  const std::string expected =
      "# a comment\n"
      "1-2\tab\t_\t_\t_\t_\t_\t_\t_\tx\n"
      "1\ta\ta\tA\t_\tF=1\t2\tx\t_\tM=1\n"
      "1.1\tghost\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
      "2\tb\tb\tB\t_\t_\t0\tr\t_\t_\n"
      "\n\n"
      "1\tb\tb\tB\t_\t_\t0\tr\t_\t_\n";
  EXPECT_EQ(predict(model, text), expected);
  // Heads are not looked at.
  EXPECT_EQ(predict(model, "1\tb\tb\tB\t_\t_\t_\t_\t_\t_\n"), "1\tb\tb\tB\t_\t_\t0\tr\t_\t_\n");
  EXPECT_EQ(predict(model, file("test", "1\tb\tb\tB\t_\t_\t7\tq\n", "conllx")),
            "1\tb\tb\tB\t_\t_\t0\tr\n");
}

TEST_F(ParsingDriver, WithoutLabelsThereIsNoLabelledFigure) {
  const std::string text = "a\tA\t2\nb\tB\t0\n";
  const ModelRecord model = train(text);
  EXPECT_EQ(evaluate(model, text), (Metrics{uas(1.0)}));
  EXPECT_EQ(predict(model, text), text);
  EXPECT_EQ(predict(model, "a\tA\nb\tB\n"), text);  // heads may be missing
  set("labelled", "no");
  EXPECT_EQ(evaluate(train(kCrossing), "b\tB\t0\tunknown\n"), (Metrics{uas(1.0)}));
}

TEST_F(ParsingDriver, CountsEveryWordAndUnknownLabelsAsErrors) {
  const ModelRecord model = train("a\tA\t2\tx\nb\tB\t0\tr\n");
  EXPECT_EQ(evaluate(model, "a\tA\t2\tx\nb\tB\t0\tq\n\na\tA\t2\tx\nb\tB\t0\tr\n"),
            (Metrics{uas(1.0), {.name = "las", .value = 0.75}}));
  EXPECT_EQ(evaluate(model, "a\tA\t0\tx\nb\tB\t0\tr\n")[0].value, 0.5);  // two roots
}

TEST_F(ParsingDriver, SeveralRootsWhereTheyAreAllowed) {
  const std::string text = "a\tA\t0\tr\nb\tB\t0\tr\nc\tC\t2\tx\n";
  EXPECT_NE(message_of([&] { train(text); }).find("roots many"), std::string::npos);
  set("roots", "many");
  EXPECT_EQ(predict(train(text), text), text);
}

TEST_F(ParsingDriver, PredictsNothingForNothing) {
  const ModelRecord model = train(sample(5, 1));
  EXPECT_EQ(predict(model, ""), "");
  EXPECT_EQ(predict(model, "# only\n\n"), "# only\n\n");
  EXPECT_NE(message_of([&] { evaluate(model, ""); }).find("test: is empty; expected the columns"),
            std::string::npos);
  EXPECT_NE(message_of([&] { evaluate(model, "# only\n"); }).find("test: holds no sentences"),
            std::string::npos);
  EXPECT_NE(complaint("").find("train: is empty; expected the columns"), std::string::npos);
}

TEST_F(ParsingDriver, SaysTheHeadsAndLabelsThatItWrites) {
  const auto say = [&](const ModelRecord& model) {
    const Answers found = answers(model, file("test", kCrossing));
    std::string said;
    for (const Output& output : found.outputs) {
      if (!said.empty()) said += "\n";
      for (std::size_t k = 0; k < output.numbers.size(); ++k) {
        const char name = static_cast<char>('a' + k);
        said += fmt::format("{}\t{}\t{}", name, static_cast<char>('A' + k), output.numbers[k]);
        if (!output.labels.empty()) said += "\t" + output.labels[k];
        said += "\n";
      }
    }
    EXPECT_EQ(said, found.text);
    return found.text;
  };
  set("projective", "no");
  EXPECT_EQ(say(train(kCrossing)), kCrossing);
  set("labelled", "no");
  EXPECT_EQ(say(train(kCrossing)),
            "a\tA\t2\nb\tB\t0\nc\tC\t2\n\na\tA\t3\nb\tB\t4\nc\tC\t0\nd\tD\t3\n");
}

TEST_F(ParsingDriver, KnowsTreebanksWhenItSeesThem) {
  EXPECT_TRUE(driver_->looks_familiar(kCrossing));
  EXPECT_TRUE(driver_->looks_familiar("# wsj\r\na\tA\t2\r\nb\tB\t0\r\n\r\n"));
  EXPECT_TRUE(
      driver_->looks_familiar("1-2\tab\t_\t_\t_\t_\t_\t_\t_\tx\n"
                              "1\ta\ta\tA\t_\tF=1\t2\tx\t2:x\tM=1\n"
                              "1.1\tghost\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
                              "2\tb\tb\tB\t_\t_\t_\t_\t_\t_\n3\tc"));
  EXPECT_TRUE(driver_->looks_familiar("1\tb\tb\tB\t_\t_\t0\tr\n"));
  for (const char* other :
       {"", "# only\n", "the DT B-NP\ndog NN I-NP\n\n", "the\tDT\tB-NP\ndog\tNN\tI-NP\n\n",
        "a\tA\t1\nb\tB\t2\n\n", "a\tA\t2\nb\tB\t3\n\n", "a\tA\t2\nb\tB\t0\tx\n\n",
        "1\tb\tb\tB\t_\t_\tx\tr\n", "2\tb\tb\tB\t_\t_\t0\tr\n", "A\tx=1\ty=2\n\n"}) {
    EXPECT_FALSE(driver_->looks_familiar(other)) << other;
  }
}

TEST_F(ParsingDriver, ShowsWeightsByTheNamesOfTags) {
  const auto tables = driver_->open(train("a\tA\t2\tx\nb\tB\t0\tr\n"))->top_weights(5);
  ASSERT_EQ(tables.size(), 4U);
  EXPECT_EQ(tables[0].title, "arcs between tags");
  EXPECT_EQ(tables[1].title, "arcs between tags by distance");
  EXPECT_EQ(tables[2].title, "label r");
  EXPECT_EQ(tables[3].title, "label x");
  const auto has = [](const WeightTable& table, const std::string& name) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const auto& row) { return row.first == name && row.second > 0.0; });
  };
  EXPECT_TRUE(has(tables[0], "B -> A, head right"));
  EXPECT_TRUE(has(tables[0], "root -> B, head left"));
  EXPECT_TRUE(has(tables[1], "B -> A, head right by 1"));
  EXPECT_TRUE(has(tables[3], "B -> A, head right"));
}

TEST_F(ParsingDriver, ModelsSurviveFilesAndRefuseDamage) {
  const ModelRecord model = train(sample(20, 1));
  save_model(model, folder_.path("model"));
  EXPECT_EQ(predict(load_model(folder_.path("model")), sample(5, 3)), predict(model, sample(5, 3)));
  const auto refuses = [&](auto spoil) { expect_refused(model, spoil); };
  refuses([](ModelRecord& m) { m.task = "sequence"; });
  refuses([](ModelRecord& m) { m.settings["format"] = "conll"; });
  refuses([](ModelRecord& m) { m.settings["templates"] = "2"; });
  refuses([](ModelRecord& m) { m.settings["roots"] = "two"; });
  refuses([](ModelRecord& m) { m.settings["projective"] = "maybe"; });
  refuses([](ModelRecord& m) { m.settings["hash-bits"] = "99"; });
  refuses([](ModelRecord& m) { m.settings.erase("loss"); });
  refuses([](ModelRecord& m) { m.numbers["arc-buckets"][0] = 1 << 14; });
  refuses([](ModelRecord& m) { m.numbers["arc-buckets"][0] = m.numbers["arc-buckets"][1]; });
  refuses([](ModelRecord& m) { m.numbers.erase("label-buckets"); });
  refuses([](ModelRecord& m) { m.lists["labels"].clear(); });
  refuses([](ModelRecord& m) { m.lists["tags"].push_back(m.lists["tags"][0]); });
  refuses([](ModelRecord& m) { m.numbers["tag-pairs"].pop_back(); });
  refuses([](ModelRecord& m) { m.numbers["tag-pairs"][0] = 99; });
  refuses([](ModelRecord& m) { m.w.pop_back(); });
}

TEST_F(ParsingDriver, RefusesFormatsAndFoldsThereAreNot) {
  const ModelRecord model = train(kCrossing);
  EXPECT_THROW(predict(model, file("test", kCrossing, "letters")), OptionError);
  DataSource source = file("test", kCrossing);
  source.folds = "1";
  EXPECT_THROW(read(source), OptionError);
  EXPECT_THROW(evaluate(model, source), OptionError);
}

TEST_F(ParsingDriver, PublicTreebanksHaveTheirKnownCounts) {
  if (!std::filesystem::exists(GAPWISE_SHARED_DATA)) {
    GTEST_SKIP() << "the public data sets are not at hand: '" GAPWISE_SHARED_DATA "'";
  }
  const auto describe = [&](const std::string& name) {
    return read({std::string(GAPWISE_SHARED_DATA) + "/" + name, "", ""})->describe();
  };
  const std::string dev = describe("ud-english-ewt/en_ewt-ud-dev.conllu.gz");
  EXPECT_TRUE(dev.starts_with("2001 sentences, 25147 words, ")) << dev;
  EXPECT_TRUE(dev.ends_with(", 31 with crossing arcs")) << dev;
  const std::string wsj = describe("wsj-sample-dep/wsj_sample.dep.gz");
  EXPECT_TRUE(wsj.starts_with("3914 sentences, 94084 words, 1 label, ")) << wsj;
  EXPECT_TRUE(wsj.ends_with(" features")) << wsj;
}

TEST_F(ParsingDriver, KeepsForbiddenArcsOutOfTrees) {
  const ScratchFolder folder;
  const std::string rules = folder.path("rules");
  set("constraints", rules);
  const auto complaint = [&](const std::string& text) {
    write_file(rules, text);
    return message_of([&] { read("a\tA\t2\tx\nb\tB\t0\tr\n\n"); });
  };
  EXPECT_TRUE(testing::says(complaint("forbid B A x\n"), "sentence 1"));
  EXPECT_TRUE(testing::says(complaint("forbid B A q\n"), "no label 'q'"));
  EXPECT_TRUE(testing::says(complaint("forbid B\n"), "rules:1: found 'forbid B'"));
  EXPECT_TRUE(testing::says(complaint("forbid * *\n"), "every arc"));
  EXPECT_TRUE(testing::says(complaint("# none\n"), "has no rule"));
  write_file(rules, "# A is never the root\nforbid <root> A\n");
  const ModelRecord model = train("a\tA\t2\tx\nb\tB\t0\tr\n\nb\tB\t0\tr\na\tA\t1\tx\n\n");
  EXPECT_EQ(predict(model, "a\tA\t_\t_\na\tA\t_\t_\nb\tB\t_\t_\n").substr(0, 4), "a\tA\t");
  EXPECT_TRUE(testing::says(message_of([&] { predict(model, "a\tA\t_\t_\n"); }), "no tree"));
}

}  // namespace
}  // namespace gapwise::internal
