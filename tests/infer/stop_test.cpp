// Decoders that may run for minutes see a stop request on the way.

#include "core/stop.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"
#include "infer/beam.h"
#include "infer/count_viterbi.h"
#include "infer/dependency.h"
#include "infer/matching/matching.h"
#include "infer/sum_product.h"

namespace gapwise::internal {
namespace {

std::vector<double> random_scores(std::size_t size) {
  Rng rng(5);
  std::vector<double> scores(size);
  for (double& score : scores) score = rng.uniform();
  return scores;
}

/// Runs `decode` to its end, and then under a condition that is met.
template <class Decode>
void expect_given_up(Decode decode) {
  EXPECT_NO_THROW(decode());
  const StopCondition over{.deadline = seconds_from_now(-1.0)};
  const StopScope scope(&over);
  EXPECT_THROW(decode(), GivenUp);
}

class StopInChains : public ::testing::Test {
 protected:
  static constexpr int kLabels = 300;
  static constexpr int kLength = 60;

  std::vector<double> nodes_ = random_scores(std::size_t{kLabels} * kLength);
  std::vector<double> pairs_ = random_scores(std::size_t{kLabels} * kLabels);
  ChainScores scores_{kLength, kLabels, nodes_.data(), pairs_.data(), false};
  std::vector<std::int32_t> labels_ = std::vector<std::int32_t>(kLength);
};

TEST_F(StopInChains, Viterbi) {
  ViterbiScratch scratch;
  expect_given_up([&] { viterbi(scores_, scratch, labels_); });
}

TEST_F(StopInChains, Beam) {
  BeamScratch scratch;
  expect_given_up([&] { beam_search(scores_, 200, scratch, labels_); });
}

TEST_F(StopInChains, CountViterbi) {
  CountViterbi decoder;
  expect_given_up([&] { decoder.solve(scores_, labels_); });
}

TEST_F(StopInChains, SumProduct) {
  SumProductScratch scratch;
  std::vector<double> node_means(nodes_.size());
  std::vector<double> pair_means(pairs_.size());
  expect_given_up([&] { sum_product(scores_, scratch, node_means, pair_means); });
}

TEST(StopInTrees, EisnerAndChuLiuEdmonds) {
  constexpr int kWords = 400;
  const std::vector<double> scores = random_scores((kWords + 1) * (kWords + 1));
  const ArcScores arcs{kWords, scores.data()};
  std::vector<std::int32_t> heads(kWords);
  EisnerScratch projective;
  expect_given_up([&] { eisner(arcs, RootCount::kOne, projective, heads); });
  constexpr int kMoreWords = 2500;
  const std::vector<double> more =
      random_scores(std::size_t{kMoreWords + 1} * std::size_t{kMoreWords + 1});
  const ArcScores large{kMoreWords, more.data()};
  heads.resize(kMoreWords);
  SpanningTreeScratch scratch;
  expect_given_up([&] { chu_liu_edmonds(large, RootCount::kMany, scratch, heads); });
}

TEST(StopInMatchings, RowByRow) {
  constexpr std::int32_t kSide = 600;
  const std::vector<double> scores = random_scores(std::size_t{kSide} * std::size_t{kSide});
  std::vector<std::int32_t> columns(kSide);
  MatchingSearch search;
  expect_given_up([&] { max_weight_matching({scores.data(), kSide, kSide}, search, columns); });
}

}  // namespace
}  // namespace gapwise::internal
