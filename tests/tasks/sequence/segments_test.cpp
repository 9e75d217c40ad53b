// Chunks scored as a whole: decoding, oracles, files, models.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gapwise/check_oracle.h"
#include "gapwise/gapwise.h"
#include "io/files.h"
#include "support/problems.h"
#include "support/reading.h"
#include "support/scratch_folder.h"
#include "tasks/sequence/constraints.h"
#include "tasks/sequence/segments/segment_features.h"

namespace gapwise::internal {
namespace {

using testing::Chains;
using testing::ChainSpec;
using testing::says;
using Labels = std::vector<std::int32_t>;

/// Random chains with segments; by turns with edge attributes, lists of labels and constraints.
template <class Visit>
void for_each_kind(Visit visit) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ChainSpec spec;
    spec.sequences = 4;
    spec.labels = seed % 2 == 0 ? 3 : 5;
    spec.max_length = 5;
    spec.loss = SequenceLoss::kHamming;
    spec.edge_attributes = seed % 4 < 2 ? 0 : 2;
    spec.segment_attributes = 3;
    spec.variant.segments = testing::bio_segments(spec.labels / 2, 1 + static_cast<int>(seed % 3));
    if (seed % 5 == 0)
      spec.variant.label_weights.assign(static_cast<std::size_t>(spec.labels), 2.0);
    spec.seed = seed;
    if (seed % 3 == 0) {  // no two positions in a row stand alone, unless a truth has it
      ChainConstraints constraints(spec.labels);
      constraints.forbid(0, 0);
      const Chains free = testing::random_chains(spec);
      bool is_kept = true;
      for (Index i = 0; i < free.data->size(); ++i) {
        const auto first = free.data->starts[static_cast<std::size_t>(i)];
        is_kept =
            is_kept && !constraints.first_break(
                           std::span(free.data->labels)
                               .subspan(first, static_cast<std::size_t>(free.data->length(i))));
      }
      if (is_kept) spec.variant.constraints = std::make_shared<const ChainConstraints>(constraints);
    }
    visit(testing::random_chains(spec), spec);
  }
}

TEST(ChainSegments, DecodingEqualsEnumerationOfSegmentations) {
  Index cut = 0;
  Index all = 0;
  for_each_kind([&](const Chains& chains, const ChainSpec& spec) {
    testing::for_random_decodings(*chains.problem, 6, [&](const testing::Decoding& found, Oracle&) {
      const auto first = chains.data->starts[static_cast<std::size_t>(found.i)];
      const Labels truth(chains.data->labels.begin() + static_cast<std::ptrdiff_t>(first),
                         chains.data->labels.begin() + static_cast<std::ptrdiff_t>(first) +
                             chains.data->length(found.i));
      const double truth_score =
          testing::dot(found.w, testing::joint_features(chains, found.i, truth));
      const double wrong = spec.variant.label_weights.empty() ? 1.0 : 2.0;
      double best = -1e300;
      std::vector<Segment> segments;
      testing::for_each_labelling(chains.data->length(found.i), spec.labels, [&](const Labels& y) {
        ++all;
        if (find_segments(*spec.variant.segments, y, segments)) return;
        if (spec.variant.constraints && spec.variant.constraints->first_break(y)) return;
        ++cut;
        double value =
            testing::dot(found.w, testing::joint_features(chains, found.i, y)) - truth_score;
        for (std::size_t t = 0; t < y.size() && found.has_loss(); ++t) {
          value += y[t] != truth[t] ? wrong : 0.0;
        }
        best = std::max(best, value);
      });
      ASSERT_NEAR(found.value(), best, 1e-10);
    });
  });
  EXPECT_LT(cut, all);
}

TEST(ChainSegments, OraclesKeepTheirContract) {
  for_each_kind([&](const Chains& chains, const ChainSpec& spec) {
    EXPECT_NO_THROW(check_oracle(*chains.problem)) << "seed " << spec.seed;
    EXPECT_FALSE(chains.problem->make_oracle()->has_expectations());
  });
}

TEST(ChainSegments, ProblemsDifferByThem) {
  ChainSpec spec;
  spec.labels = 3;
  spec.segment_attributes = 2;
  spec.variant.segments = testing::bio_segments(1, 4);
  const auto with = testing::random_chains(spec).problem->fingerprint();
  spec.seed = 2;
  EXPECT_NE(testing::random_chains(spec).problem->fingerprint(), with);
}

class SegmentRuns : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    write_file(folder_.path(name), text);
    return folder_.path(name);
  }
  Fit fitted(const std::string& data, const TaskOptions& options, double lambda = 0.01) const {
    TrainOptions training;
    training.lambda = Lambda::of(lambda);
    training.relative_gap = 1e-4;
    training.max_passes = 2000;
    return fit(read_examples("sequence", {data}, options), training);
  }
  std::string complaint(const std::string& text, TaskOptions options) const {
    options.emplace("segments", "2");
    try {
      fitted(file("wrong", text), options);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }

  ScratchFolder folder_;
};

/// Names of a list, which no window of one token tells: their words also stand in other orders.
TEST_F(SegmentRuns, LearnWholeNamesWhichTokensDoNotTell) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    text += "new B-CITY\nyork I-CITY\nold B-BOOK\nyork I-BOOK\n\n";
    text += "new B-BOOK\nland I-BOOK\nold B-CITY\nland I-CITY\n\n";
  }
  const std::string data = file("names", text);
  const std::string alone = file("template", "U:%x[0,0]\nB\n");
  const auto errors = [&](const char* longest) {
    const Fit result = fitted(data, {{"segments", longest}, {"template", alone}});
    EXPECT_TRUE(result.report.progress.is_certified);
    const Model again = load_model_bytes(result.model.bytes());
    const Metrics metrics = again.evaluate(open_examples("sequence", {data}));
    return 1.0 - metrics.front().value;
  };
  EXPECT_EQ(errors("2"), 1.0);  // normalized_hamming comes first
  EXPECT_LT(errors("0"), 1.0);
}

TEST_F(SegmentRuns, PredictionsAreMadeOfSegments) {
  const std::string data =
      file("few", "a B-X\nb I-X\nc O\n\nc O\na B-X\nb I-X\n\nb B-Y\na I-Y\nc O\n\n");
  const Model model = fitted(data, {{"segments", "2"}}).model;
  const std::string fresh = file("new", "b\nb\nb\nb\na\nb\nb\nb\nc\na\na\n\n");
  const Examples examples = open_examples("sequence", {fresh});
  const std::vector<std::string> labels = model.predict(examples).front().labels;
  const Alphabet names = Alphabet::from_names(model.names("labels"));
  std::vector<std::int32_t> numbers;
  for (const std::string& label : labels) {
    numbers.push_back(static_cast<std::int32_t>(names.find(label)));
  }
  std::vector<Segment> segments;
  EXPECT_FALSE(find_segments(segment_types(names, 2), numbers, segments));
  const auto rankings = model.rank(examples, {.nbest = 4, .margins = true, .marginals = true});
  ASSERT_EQ(rankings.front().outputs.size(), 4U);
  EXPECT_EQ(rankings.front().outputs.front().output.labels, labels);
  for (const RankedPlace& place : rankings.front().places) {
    EXPECT_GE(place.margin, 0.0);
    EXPECT_GT(place.probability, 0.0);
    EXPECT_LE(place.probability, 1.0 + 1e-12);
    EXPECT_FALSE(place.runner_up.empty());
  }
  EXPECT_THROW(model.rank(examples, {.explain = 2}), OptionError);
}

TEST_F(SegmentRuns, AttributesOfFilesJoinOverSegments) {
  const std::string data = file("attributes",
                                "B-X\tb\tseg.w=new\nI-X\tb\tseg.w=york\nO\tb\n\n"
                                "B-X\tb\tseg.w=rome\nO\tb\tseg.w=and\n\n");
  const Model model = fitted(data, {{"segments", "3"}}).model;
  EXPECT_EQ(model.names("attributes"), (std::vector<std::string>{"b"}));
  const std::vector<std::string> names = model.names("segment-attributes");
  for (const char* name :
       {"length=1", "length=2", "w=new york", "w=rome", "w<_B", "w>and", "w<>_B and"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
  EXPECT_TRUE(says(complaint("B-X\tb=1\tseg.new\n\n", {}), "seg.KEY=TEXT"));
}

TEST_F(SegmentRuns, WhatDoesNotFitIsToldWithItsPlace) {
  EXPECT_TRUE(says(complaint("a B-X\nb I-X\nc I-X\n\n", {}), "a chunk of 3 tokens"));
  EXPECT_TRUE(says(complaint("a B-X\n\nb O\nc I-X\n\n", {}), "sequence 2: the label of token 2"));
  EXPECT_TRUE(says(complaint("a DET\nb NOUN\n\n", {}), "mark chunks"));
  EXPECT_TRUE(says(complaint("a B-X\nb ?\n\n", {}), "not known"));
  const std::string fine = "a B-X\nb O\n\n";
  for (const TaskOptions& wrong : {TaskOptions{{"chain-order", "2"}}, TaskOptions{{"beam", "1"}},
                                   TaskOptions{{"rescaling", "slack"}}}) {
    EXPECT_TRUE(says(complaint(fine, wrong), "segments"));
  }
  EXPECT_EQ(complaint(fine, {}), "no error");
}

/// Lists of labels hold for tokens inside of segments, too.
TEST_F(SegmentRuns, KeepDictionaries) {
  const std::string data =
      file("tagged", "a * B-X\nb * I-X\nc * O\n\na B-X|B-Y B-Y\nb * I-Y\nc * O\n\n");
  const Model model = fitted(data, {{"segments", "2"}, {"dictionary", "yes"}}).model;
  const auto predict = [&](const std::string& text) {
    return model.predict(open_examples("sequence", {file("new", text)})).front().labels;
  };
  EXPECT_EQ(predict("a B-Y\nb I-Y\nc O\n\n"), (Texts{"B-Y", "I-Y", "O"}));
  EXPECT_EQ(predict("a B-X\nb I-X\nc B-Y\n\n"), (Texts{"B-X", "I-X", "B-Y"}));
  EXPECT_THROW(predict("a I-X\nb O\n\n"), InputError);
}

}  // namespace
}  // namespace gapwise::internal
