// Rows in memory say what a file says: the same models, predictions and refusals.

#include <gtest/gtest.h>

#include <cmath>

#include "app/small_data.h"

namespace gapwise::internal {
namespace {

using testing::says;
using testing::short_run;

/// The same examples as rows and as the text of a file.
struct Twins {
  std::string task;
  std::string format;
  Examples rows;
  std::string text;
};

/// Sentences over five words; the tag follows from the word and from the tag before.
Twins sentences(Index count, bool is_labelled = true) {
  Rng rng(5);
  ExampleRows rows("sequence");
  std::string text;
  for (Index i = 0; i < count; ++i) {
    const Index length = 1 + rng.below(5);
    Index tag = 0;
    for (Index t = 0; t < length; ++t) {
      const Index word = rng.below(5);
      tag = (word + tag / 2 + (rng.below(6) == 0 ? 1 : 0)) % 3;
      const std::string name = "word=" + std::to_string(word);
      const std::string label = is_labelled ? "T" + std::to_string(tag) : "";
      rows.attribute(name).attribute("size", 0.25 * static_cast<double>(word));
      if (is_labelled) rows.label(label);
      rows.end_row();
      text += label + "\t" + name + "\tsize:" + std::to_string(0.25 * static_cast<double>(word));
      text += "\n";
    }
    rows.end_example();
    text += "\n";
  }
  return {"sequence", "crfsuite", rows.finish(), text};
}

/// Points around three places; with `several`, each may have many labels or none.
Twins points(Index count, bool several) {
  Rng rng(6);
  ExampleRows rows(several ? "multilabel" : "multiclass");
  std::string text;
  for (Index i = 0; i < count; ++i) {
    const Index at = i % 3;
    std::string labels = std::to_string(at);
    rows.label(labels);
    if (several && rng.below(2) == 0) {
      rows.label("9");
      labels += ",9";
    }
    text += labels;
    for (Index number = 1; number <= 4; ++number) {
      // Eighths, which are written exactly.
      const double value =
          0.125 * static_cast<double>(rng.below(9)) + (number == at + 1 ? 1.0 : 0.0);
      rows.feature(number, value);
      text += " " + std::to_string(number) + ":" + std::to_string(value);
    }
    rows.end_example();
    text += "\n";
  }
  return {several ? "multilabel" : "multiclass", "svmlight", rows.finish(), text};
}

std::vector<Twins> all_twins() {
  return {sentences(30), points(30, false), points(30, true)};
}

DataSource file_of(const ScratchFolder& folder, const Twins& twins) {
  const DataSource source{folder.path(twins.task), twins.format};
  write_file(source.path, twins.text);
  return source;
}

TEST(Rows, GiveTheModelOfTheSameFileToTheByte) {
  const ScratchFolder folder;
  for (const Twins& twins : all_twins()) {
    const Examples from_file = read_examples(twins.task, file_of(folder, twins));
    EXPECT_EQ(twins.rows.describe(), from_file.describe());
    EXPECT_EQ(twins.rows.problem().fingerprint(), from_file.problem().fingerprint()) << twins.task;
    EXPECT_EQ(fit(twins.rows, short_run()).model.bytes(), fit(from_file, short_run()).model.bytes())
        << twins.task;
  }
}

TEST(Rows, ArePredictedAndJudgedAsTheSameFile) {
  const ScratchFolder folder;
  for (const Twins& twins : all_twins()) {
    const DataSource source = file_of(folder, twins);
    const Model model = fit(twins.rows, short_run()).model;
    const Examples opened = open_examples(twins.task, source);
    EXPECT_EQ(model.predict(twins.rows), model.predict(opened)) << twins.task;
    EXPECT_EQ(model.evaluate(twins.rows), model.evaluate(opened)) << twins.task;
    EXPECT_EQ(model.evaluate(twins.rows), model.evaluate(source)) << twins.task;
  }
}

TEST(Predict, InMemorySaysWhatItStreamsForAFile) {
  const ScratchFolder folder;
  for (const Twins& twins : all_twins()) {
    const DataSource source = file_of(folder, twins);
    const Model model = fit(twins.rows, short_run()).model;
    std::string streamed;
    model.predict(source, [&](std::string_view text) { streamed += text; });
    std::string in_memory;
    for (const Output& output : model.predict(twins.rows)) {
      EXPECT_TRUE(output.numbers.empty());
      std::string line;
      for (const std::string& label : output.labels) {
        if (!line.empty()) line += twins.task == "sequence" ? "\n" : ",";
        line += label;
      }
      in_memory += line + (twins.task == "sequence" ? "\n\n" : "\n");
    }
    EXPECT_EQ(in_memory, streamed) << twins.task;
  }
}

TEST(Predict, DoesNotDependOnTheNumberOfThreads) {
  const Twins twins = sentences(200);
  const Model model = fit(twins.rows, short_run()).model;
  EXPECT_EQ(model.predict(twins.rows, 1), model.predict(twins.rows, 4));
  EXPECT_EQ(model.evaluate(twins.rows, 1), model.evaluate(twins.rows, 4));
  for (const Index count : {0, -1, 5000}) {
    EXPECT_TRUE(says(message_of<OptionError>([&] { model.predict(twins.rows, count); }),
                     "threads = " + std::to_string(count) + " must be between"));
  }
}

TEST(Predict, IgnoresAttributesAndLabelsTheModelDoesNotKnow) {
  const Model tagger = fit(sentences(30).rows, short_run()).model;
  ExampleRows rows("sequence");
  rows.attribute("word=1").attribute("size", 0.25).label("T0").end_example();
  const auto known = tagger.predict(rows.finish());
  rows.attribute("new").attribute("word=1").attribute("size", 0.25).label("NEW").end_example();
  EXPECT_EQ(tagger.predict(rows.finish()), known);

  const Model classifier = fit(points(30, false).rows, short_run()).model;
  ExampleRows inputs("multiclass");
  inputs.feature(2, 1.0).label("0").end_example();
  const auto at_two = classifier.predict(inputs.finish());
  inputs.feature(2, 1.0).feature(77, 3.0).label("unheard-of").end_example();
  EXPECT_EQ(classifier.predict(inputs.finish()), at_two);
}

TEST(RowsWithoutLabels, CanBePredictedOnly) {
  const Model tagger = fit(sentences(30).rows, short_run()).model;
  ExampleRows rows("sequence");
  const auto half_labelled = [&] {
    rows.attribute("word=1").label("T0").end_row();
    rows.attribute("word=2").label("T1").end_example();
    rows.attribute("word=1").label("T0").end_row();
    rows.attribute("word=2").end_example();
    return rows.finish();
  };
  const auto outputs = tagger.predict(half_labelled());
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[1].labels.size(), 2u);
  EXPECT_TRUE(says(message_of([&] { tagger.evaluate(half_labelled()); }), "example 2"));
  EXPECT_TRUE(says(message_of([&] { fit(half_labelled(), short_run()); }),
                   "sequence 2, token 2: the token has no label"));

  ExampleRows inputs("multiclass");
  const auto second_is_bare = [&] {
    inputs.feature(1, 1.0).label("0").end_example();
    inputs.feature(2, 1.0).end_example();
    return inputs.finish();
  };
  const Model classifier = fit(points(30, false).rows, short_run()).model;
  EXPECT_EQ(classifier.predict(second_is_bare()).size(), 2u);
  EXPECT_TRUE(says(message_of([&] { classifier.evaluate(second_is_bare()); }), "example 2"));
  EXPECT_TRUE(says(message_of([&] { fit(second_is_bare(), short_run()); }), "example 2"));
}

TEST(RowsWithoutLabels, AreSetsOfNoLabelsWhereThereAreSets) {
  const Model model = fit(points(30, true).rows, short_run()).model;
  ExampleRows rows("multilabel");
  rows.feature(1, 1.0).end_example();
  EXPECT_FALSE(model.evaluate(rows.finish()).empty());
}

}  // namespace
}  // namespace gapwise::internal
