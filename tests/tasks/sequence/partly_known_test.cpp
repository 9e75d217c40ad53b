#include "tasks/sequence/unknown/partly_known.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/random.h"
#include "tasks/driver_test.h"
#include "tasks/partly_known.h"

namespace gapwise::internal {
namespace {

class PartlyKnownSequence : public DriverTest {
 protected:
  PartlyKnownSequence() : DriverTest("sequence") {}
};

/// Tokens with an attribute each, and what is known of them.
SequenceData tiny(const std::vector<std::vector<std::int32_t>>& labels) {
  SequenceData data;
  std::uint32_t attribute = 0;
  for (const auto& sequence : labels) {
    for (const std::int32_t label : sequence) {
      data.nodes.add(attribute++ % 3);
      data.nodes.end_row();
      data.labels.push_back(label);
    }
    data.starts.push_back(data.labels.size());
  }
  return data;
}

double score_of(const ChainLayout& layout, const std::vector<double>& w, const SequenceData& data,
                const std::vector<std::int32_t>& y) {
  const auto at = [&](Index k) { return w[static_cast<std::size_t>(k)]; };
  double score = at(layout.start() + y.front()) + at(layout.end() + y.back());
  for (std::size_t t = 0; t < y.size(); ++t) {
    score += at(layout.node(data.nodes.row(t).attributes[0]) + y[t]);
    if (t > 0) score += at(layout.transition() + y[t - 1] * layout.labels + y[t]);
    if (t > 1 && layout.order == 2) {
      score += at(layout.triple() + (y[t - 2] * layout.labels + y[t - 1]) * layout.labels + y[t]);
    }
  }
  return score;
}

/// The largest score of a labelling that agrees with what is known.
double best_by_enumeration(const ChainLayout& layout, const std::vector<double>& w,
                           const SequenceData& data) {
  double best = -INFINITY;
  std::vector<std::int32_t> y(data.labels.size());
  const std::function<void(std::size_t)> visit = [&](std::size_t t) {
    if (t == y.size()) {
      best = std::max(best, score_of(layout, w, data, y));
      return;
    }
    for (std::int32_t label = 0; label < layout.labels; ++label) {
      if (data.labels[t] != kNoLabel && data.labels[t] != label) continue;
      y[t] = label;
      visit(t + 1);
    }
  };
  visit(0);
  return best;
}

/// Whole numbers, so that many labellings tie.
TEST(PartlyKnownDecoding, IsTheBestThatAgreesWithWhatIsKnown) {
  Rng rng(7);
  for (const int order : {1, 2}) {
    for (int trial = 0; trial < 400; ++trial) {
      ChainLayout layout{.node_attributes = 3, .labels = 2 + trial % 2, .order = order};
      std::vector<std::int32_t> known;
      for (Index t = 1 + rng.below(5); t > 0; --t) {
        known.push_back(rng.uniform() < 0.5 ? kNoLabel
                                            : static_cast<std::int32_t>(rng.below(layout.labels)));
      }
      std::vector<double> w(static_cast<std::size_t>(layout.dimension()));
      for (double& x : w) x = static_cast<double>(rng.below(3)) - 1.0;
      const SequenceData data = tiny({known});
      SequenceVariant variant;
      variant.order = order;
      SequenceTagger tagger(layout, w, variant);
      const auto found = tagger.tag(fixed_to_known(data), 0);
      const std::vector<std::int32_t> y(found.begin(), found.end());
      EXPECT_EQ(score_of(layout, w, data, y), best_by_enumeration(layout, w, data));
      for (std::size_t t = 0; t < y.size(); ++t) {
        EXPECT_TRUE(known[t] == kNoLabel || y[t] == known[t]);
      }
    }
  }
}

TEST(KnownRuns, AreSequencesOfTheirOwn) {
  const SequenceData runs = known_runs(tiny({{0, -1, 1, 0}, {-1}, {-1, 1, -1}, {1, 1}}));
  EXPECT_EQ(runs.starts, (std::vector<std::size_t>{0, 1, 3, 4, 6}));
  EXPECT_EQ(runs.labels, (std::vector<std::int32_t>{0, 1, 0, 1, 1, 1}));
  EXPECT_EQ(runs.nodes.num_rows(), 6U);
  EXPECT_EQ(runs.nodes.row(1).attributes[0], 2U);
  EXPECT_TRUE(runs.allowed_starts.empty());
}

TEST(FixedToKnown, KeepsTheDictionaryElsewhere) {
  SequenceData data = tiny({{0, -1, -1}});
  data.allowed_starts = {0, 2, 4, 4};
  data.allowed = {0, 1, 1, 2};
  const SequenceData fixed = fixed_to_known(data);
  EXPECT_EQ(fixed.allowed, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(fixed.allowed_starts, (std::vector<std::size_t>{0, 1, 3, 3}));
  const SequenceData runs = known_runs(data);
  EXPECT_EQ(runs.allowed, (std::vector<std::int32_t>{0, 1}));
}

TEST_F(PartlyKnownSequence, HasNoProblemBeforeItIsCompleted) {
  const auto set = read("a B-X\nb ?\nc O\n\na ?\nb I-X\n");
  ASSERT_NE(set->partly_known(), nullptr);
  EXPECT_EQ(set->partly_known()->num_unknown(), 2);
  EXPECT_EQ(set->partly_known()->num_examples(), 2);
  EXPECT_NE(set->describe().find(", 3 labels, "), std::string::npos) << set->describe();
  EXPECT_NE(set->describe().find("2 labels not known"), std::string::npos);
  EXPECT_NE(message_of([&] { set->problem(); }).find("2 labels are not known ('?')"),
            std::string::npos);
}

TEST_F(PartlyKnownSequence, CompletesInTheOrderOfTheTokens) {
  const auto set = read("a X\nb ?\n\nb Y\na ?\n");
  const PartlyKnown& partly = *set->partly_known();
  const auto known = partly.known_alone();
  EXPECT_EQ(known->partly_known(), nullptr);
  const auto w = perceptron_weights(known->problem(), 20);
  const CompletedExamples completed = partly.complete(w, threads_);
  EXPECT_EQ(completed.labels, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(completed.set->problem().dimension(), known->problem().dimension());
  EXPECT_EQ(completed.set->problem().num_blocks(), 2);
  EXPECT_EQ(completed.set->problem().fingerprint(),
            read("a X\nb Y\n\nb Y\na X\n")->problem().fingerprint());
}

TEST_F(PartlyKnownSequence, KeepsTheConstraints) {
  set("constraints", "bio");
  const auto set = read("a O\nb ?\nc I-X\n\na B-X\nb I-X\n");
  const PartlyKnown& partly = *set->partly_known();
  const std::vector<double> w(
      static_cast<std::size_t>(partly.known_alone()->problem().dimension()));
  const auto labels = partly.complete(w, threads_).labels;
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_EQ(labels[0], 0) << "B-X, the only one between O and I-X";

  const auto hopeless = read("a O\nb I-X\nc ?\n\na B-X\n");
  const std::string message = message_of([&] { hopeless->partly_known()->complete(w, threads_); });
  EXPECT_NE(message.find("sequence 1 has 3 tokens"), std::string::npos) << message;
}

TEST_F(PartlyKnownSequence, MarkIsWhatTheOptionSays) {
  EXPECT_EQ(read("a X\nb Y\n")->partly_known(), nullptr);
  set("unknown-label", "_");
  EXPECT_EQ(read("a X\nb _\n")->partly_known()->num_unknown(), 1);
  EXPECT_NE(complaint("a X\nb ?\n").find("train:2: the label is '?'"), std::string::npos);
  set("unknown-label", "none");
  EXPECT_EQ(read("a X\nb ?\nc none\n")->describe(),
            "1 sequence, 3 tokens, 3 labels, 40 attributes");
}

TEST_F(PartlyKnownSequence, RefusesWhatHasNoMeaning) {
  EXPECT_NE(complaint("a ?\nb ?\n").find("no label is known"), std::string::npos);
  set("beam", "2");
  EXPECT_NE(message_of<OptionError>([&] { read("a X\nb ?\n"); }).find("which a beam is not"),
            std::string::npos);
}

}  // namespace
}  // namespace gapwise::internal
