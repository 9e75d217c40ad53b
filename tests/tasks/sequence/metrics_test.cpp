#include "tasks/sequence/metrics.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace gapwise::internal {
namespace {

using Texts = std::vector<std::string>;

/// What conlleval prints first: chunks in the gold labels, in the predicted ones, correct ones.
using Counts = std::array<Index, 3>;

struct Numbered {
  Alphabet labels;
  std::vector<std::int32_t> number(const Texts& texts) {
    std::vector<std::int32_t> result;
    for (const std::string& text : texts) {
      result.push_back(static_cast<std::int32_t>(labels.add(text)));
    }
    return result;
  }
};

Counts count(const Texts& gold, const Texts& predicted) {
  Numbered numbered;
  const auto gold_ids = numbered.number(gold);
  const auto predicted_ids = numbered.number(predicted);
  ChunkCounter counter;
  counter.learn(numbered.labels);
  Counts sum{};
  counter.for_each_chunk(gold_ids, predicted_ids, [&](const LabelCount& chunk) {
    sum[0] += static_cast<Index>(chunk.gold);
    sum[1] += static_cast<Index>(chunk.predicted);
    sum[2] += static_cast<Index>(chunk.correct);
  });
  return sum;
}

/// Slow and plain: the set of (first, last, type) of a label sequence, by the rules of conlleval.
std::set<std::tuple<std::size_t, std::size_t, std::string>> chunks_of(const Texts& labels) {
  std::set<std::tuple<std::size_t, std::size_t, std::string>> chunks;
  const auto kind = [&](std::size_t t) { return t < labels.size() ? labels[t][0] : 'O'; };
  const auto type = [&](std::size_t t) {
    return kind(t) == 'O' ? std::string() : labels[t].substr(2);
  };
  for (std::size_t first = 0; first < labels.size(); ++first) {
    if (kind(first) == 'O') continue;
    const bool follows = first > 0 && kind(first - 1) != 'O' && kind(first - 1) != 'E' &&
                         kind(first - 1) != 'S' && type(first - 1) == type(first);
    if (follows && kind(first) != 'B' && kind(first) != 'S') continue;
    std::size_t last = first;
    while (kind(last) != 'E' && kind(last) != 'S' && type(last + 1) == type(first) &&
           (kind(last + 1) == 'I' || kind(last + 1) == 'E')) {
      ++last;
    }
    chunks.emplace(first, last, type(first));
  }
  return chunks;
}

TEST(ChunkCounter, CountsTypicalCasesLikeConlleval) {
  EXPECT_EQ(count({"B-NP", "I-NP", "O", "B-VP"}, {"B-NP", "I-NP", "O", "B-VP"}), (Counts{2, 2, 2}));
  EXPECT_EQ(count({"B-NP", "I-NP", "I-NP"}, {"B-NP", "I-NP", "O"}), (Counts{1, 1, 0}));
  EXPECT_EQ(count({"B-NP", "I-NP"}, {"B-NP", "B-NP"}), (Counts{1, 2, 0}));
  EXPECT_EQ(count({"B-NP", "I-NP"}, {"B-VP", "I-VP"}), (Counts{1, 1, 0}));
  EXPECT_EQ(count({"O", "O"}, {"O", "B-NP"}), (Counts{0, 1, 0}));
}

TEST(ChunkCounter, ReadsIob1WhereAChunkMayStartWithI) {
  EXPECT_EQ(count({"I-NP", "I-NP", "B-NP"}, {"B-NP", "I-NP", "B-NP"}), (Counts{2, 2, 2}));
  EXPECT_EQ(count({"O", "I-NP", "I-VP"}, {"O", "B-NP", "B-VP"}), (Counts{2, 2, 2}));
}

TEST(ChunkCounter, StartsAChunkWhereTheTypeChanges) {
  EXPECT_EQ(count({"B-NP", "I-VP"}, {"B-NP", "B-VP"}), (Counts{2, 2, 2}));
}

TEST(ChunkCounter, ReadsLastAndSingleTokens) {
  EXPECT_EQ(count({"B-P", "I-P", "E-P", "S-P"}, {"B-P", "I-P", "I-P", "B-P"}), (Counts{2, 2, 2}));
  EXPECT_EQ(count({"B-P", "L-P", "U-P", "U-P"}, {"B-P", "E-P", "S-P", "S-P"}), (Counts{3, 3, 3}));
  EXPECT_EQ(count({"I-P", "E-P", "I-P", "E-P"}, {"B-P", "I-P", "B-P", "I-P"}), (Counts{2, 2, 2}));
}

TEST(ChunkCounter, CountsLabelsTheModelDoesNotKnow) {
  EXPECT_EQ(count({"B-NEW", "I-NEW"}, {"O", "O"}), (Counts{1, 0, 0}));
}

TEST(ChunkCounter, AgreesWithSetsOfChunks) {
  const Texts labels{"O", "B-x", "I-x", "E-x", "S-x", "B-y", "I-y", "E-y", "S-y"};
  rc::check([&] {
    const auto length = *rc::gen::inRange<std::size_t>(0, 12);
    const auto pick = rc::gen::container<Texts>(length, rc::gen::elementOf(labels));
    const Texts gold = *pick;
    const Texts predicted = *pick;
    const auto gold_chunks = chunks_of(gold);
    const auto predicted_chunks = chunks_of(predicted);
    Index both = 0;
    for (const auto& chunk : gold_chunks) both += predicted_chunks.contains(chunk) ? 1 : 0;
    const Counts expected{std::ssize(gold_chunks), std::ssize(predicted_chunks), both};
    RC_ASSERT(count(gold, predicted) == expected);
  });
}

TEST(ChunkCounter, TellsTheTypeOfEveryChunk) {
  Numbered numbered;
  const auto gold = numbered.number({"B-x", "I-x", "B-y", "O", "B-x"});
  const auto predicted = numbered.number({"B-x", "I-x", "B-x", "O", "B-x"});
  ChunkCounter counter;
  counter.learn(numbered.labels);
  std::map<std::string, Counts> by_type;
  counter.for_each_chunk(gold, predicted, [&](const LabelCount& chunk) {
    Counts& counts = by_type[std::string(chunk.label)];
    counts[0] += static_cast<Index>(chunk.gold);
    counts[1] += static_cast<Index>(chunk.predicted);
    counts[2] += static_cast<Index>(chunk.correct);
  });
  EXPECT_EQ(by_type, (std::map<std::string, Counts>{{"x", {2, 3, 2}}, {"y", {1, 0, 0}}}));
}

TEST(ChunkLabels, AreToldFromOtherLabels) {
  const auto are_chunks = [](const Texts& names) {
    return are_chunk_labels(Alphabet::from_names(names));
  };
  EXPECT_TRUE(are_chunks({"B-NP", "I-NP", "O"}));
  EXPECT_TRUE(are_chunks({"S-a-b", "U-x", "L-x", "E-x"}));
  EXPECT_FALSE(are_chunks({"O"}));
  EXPECT_FALSE(are_chunks({"a", "b"}));
  EXPECT_FALSE(are_chunks({"B-NP", "NN"}));
  EXPECT_FALSE(are_chunks({"B-", "O"}));
  EXPECT_FALSE(are_chunks({"B", "I", "O"}));
  EXPECT_FALSE(are_chunks({"X-NP"}));
  EXPECT_FALSE(are_chunks({"O-NP", "B-NP"}));
}

TEST(SequenceMetrics, AverageErrorsPerSequenceAndPerToken) {
  Numbered numbered;
  SequenceMetrics metrics(Alphabet::from_names(Texts{"a", "b"}));
  std::vector<double> counts(SequenceMetrics::num_counts());
  const auto add = [&](const Texts& gold, const Texts& predicted) {
    metrics.count(numbered.number(gold), numbered.number(predicted), counts);
  };
  add({"a", "b", "a", "a"}, {"a", "a", "a", "a"});
  add({"a"}, {"b"});
  add({"b"}, {"b"});
  const Metrics result = metrics.metrics(counts);
  EXPECT_EQ(metrics.errors(counts), 2.0);
  ASSERT_EQ(result.size(), 3U);
  EXPECT_EQ(result[0].name, "normalized_hamming");
  EXPECT_DOUBLE_EQ(result[0].value, (0.25 + 1.0 + 0.0) / 3.0);
  EXPECT_EQ(result[1].name, "token_accuracy");
  EXPECT_DOUBLE_EQ(result[1].value, 4.0 / 6.0);
  EXPECT_EQ(result[2].name, "exact");
  EXPECT_DOUBLE_EQ(result[2].value, 1.0 / 3.0);
  EXPECT_EQ(result[0].better, Better::kLower);
  EXPECT_EQ(main_metric(result)->name, "token_accuracy");
}

TEST(SequenceMetrics, AddChunkFiguresForChunkLabels) {
  const Texts names{"B-x", "I-x", "O"};
  const Alphabet labels = Alphabet::from_names(names);
  SequenceMetrics metrics(labels);
  metrics.learn(labels);
  std::vector<double> counts(SequenceMetrics::num_counts());
  metrics.count(std::vector<std::int32_t>{0, 1, 2, 0}, std::vector<std::int32_t>{0, 1, 0, 1},
                counts);
  const Metrics result = metrics.metrics(counts);
  ASSERT_EQ(result.size(), 6U);
  EXPECT_EQ(result[3], (Metric{.name = "precision", .value = 0.5}));
  EXPECT_EQ(result[4], (Metric{.name = "recall", .value = 0.5}));
  EXPECT_EQ(result[5], (Metric{.name = "f1", .value = 0.5, .is_main = true}));
}

}  // namespace
}  // namespace gapwise::internal
