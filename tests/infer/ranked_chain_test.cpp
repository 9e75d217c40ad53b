// The k best labellings, max-marginals and probabilities of chains of both orders, against
// enumeration, with ties and with forbidden labels and steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "infer/chain/best_labellings.h"
#include "infer/chain/chain_marginals.h"
#include "infer/sum_product.h"
#include "support/problems.h"
#include "support/random_chain.h"

namespace gapwise::internal {
namespace {

using testing::RandomChain;
using testing::score_of;

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// All labellings that are not forbidden, best first, ties to the smaller label from the last
/// position backwards.
std::vector<ScoredLabelling> enumerate_best(const ChainScores& scores) {
  std::vector<ScoredLabelling> all;
  testing::for_each_labelling(scores.length, scores.labels,
                              [&](const std::vector<std::int32_t>& y) {
                                const double score = score_of(scores, y);
                                if (score > kNever) all.push_back({y, score});
                              });
  std::stable_sort(all.begin(), all.end(), [](const ScoredLabelling& a, const ScoredLabelling& b) {
    if (a.score != b.score) return a.score > b.score;
    return std::lexicographical_compare(a.labels.rbegin(), a.labels.rend(), b.labels.rbegin(),
                                        b.labels.rend());
  });
  return all;
}

/// Calls visit(chain, labellings, has ties) for random tiny chains of both orders, some of them
/// with forbidden labels and steps; only for those with a labelling that is allowed.
template <class Visit>
void for_each_chain(Visit visit) {
  Rng rng(11);
  int visited = 0;
  for (int trial = 0; trial < 600; ++trial) {
    RandomChain chain = testing::random_chain(trial, 1, 5, 3, rng, 1 + trial / 6 % 2);
    if (trial % 5 < 2) chain.forbid(0.15, rng);
    const std::vector<ScoredLabelling> all = enumerate_best(chain.scores);
    if (all.empty()) continue;
    ++visited;
    visit(chain, all, trial % 2 == 0);
  }
  ASSERT_GT(visited, 450);
}

TEST(BestLabellings, AreThoseOfEnumerationWithTies) {
  Rng rng(5);
  for_each_chain([&](const RandomChain& chain, const std::vector<ScoredLabelling>& all, bool ties) {
    const std::size_t count = 1 + static_cast<std::size_t>(rng.below(std::ssize(all) + 2));
    const std::vector<ScoredLabelling> best = best_labellings(chain.scores, count);
    ASSERT_EQ(best.size(), std::min(count, all.size()));
    for (std::size_t k = 0; k < best.size(); ++k) {
      ASSERT_NEAR(best[k].score, all[k].score, 1e-12);
      ASSERT_NEAR(best[k].score, score_of(chain.scores, best[k].labels), 1e-12);
      if (ties) {
        ASSERT_EQ(best[k].labels, all[k].labels) << "rank " << k;
      }
    }
  });
}

TEST(BestLabellings, BeginWithThatOfViterbi) {
  ViterbiScratch scratch;
  for_each_chain([&](const RandomChain& chain, const std::vector<ScoredLabelling>& all, bool ties) {
    std::vector<std::int32_t> y(static_cast<std::size_t>(chain.scores.length));
    const double value = viterbi(chain.scores, scratch, y);
    const std::vector<ScoredLabelling> best = best_labellings(chain.scores, 2);
    ASSERT_EQ(best[0].labels, y);
    ASSERT_EQ(best[0].score, value);
    ASSERT_NEAR(value, all[0].score, 1e-12);
    if (ties) {
      ASSERT_EQ(y, all[0].labels);
    }
  });
}

TEST(BestLabellings, AreNoneWhereAllIsForbidden) {
  const std::vector<double> nodes{kNever, kNever, 1.0, 1.0};
  const std::vector<double> pairs(4, 0.0);
  EXPECT_TRUE(best_labellings({2, 2, nodes.data(), pairs.data()}, 3).empty());
}

TEST(MaxMarginals, AreThoseOfEnumeration) {
  MarginalScratch scratch;
  for_each_chain([&](const RandomChain& chain, const std::vector<ScoredLabelling>& all, bool) {
    std::vector<double> expected(chain.nodes.size(), kNever);
    for (const ScoredLabelling& y : all) {
      for (std::size_t t = 0; t < y.labels.size(); ++t) {
        double& best = expected[t * static_cast<std::size_t>(chain.scores.labels) +
                                static_cast<std::size_t>(y.labels[t])];
        best = std::max(best, y.score);
      }
    }
    std::vector<double> found(expected.size());
    max_marginals(chain.scores, scratch, found);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (expected[k] == kNever) {
        ASSERT_EQ(found[k], kNever);
      } else {
        ASSERT_NEAR(found[k], expected[k], 1e-12);
      }
    }
  });
}

TEST(LabelProbabilities, AreThoseOfEnumerationAtAnyTemperature) {
  Rng rng(7);
  MarginalScratch scratch;
  for_each_chain([&](const RandomChain& chain, const std::vector<ScoredLabelling>& all, bool) {
    const double temperature = std::exp(4.0 * rng.uniform() - 2.0);
    std::vector<double> expected(chain.nodes.size(), 0.0);
    double sum = 0.0;
    for (const ScoredLabelling& y : all) sum += std::exp(y.score / temperature);
    for (const ScoredLabelling& y : all) {
      for (std::size_t t = 0; t < y.labels.size(); ++t) {
        expected[t * static_cast<std::size_t>(chain.scores.labels) +
                 static_cast<std::size_t>(y.labels[t])] += std::exp(y.score / temperature) / sum;
      }
    }
    std::vector<double> found(expected.size());
    const double total = label_probabilities(chain.scores, temperature, scratch, found);
    ASSERT_NEAR(total, temperature * std::log(sum), 1e-9 * std::max(1.0, std::fabs(total)));
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], 1e-10);
  });
}

TEST(LabelProbabilities, AgreeWithTheSumsOfTrainingAndTakeHugeScores) {
  Rng rng(9);
  MarginalScratch scratch;
  SumProductScratch sums;
  for (const double scale : {1.0, 1e5}) {
    RandomChain chain(40, 9, false, false, rng);
    for (double& x : chain.nodes) x *= scale;
    std::vector<double> expected(chain.nodes.size());
    std::vector<double> pairs(chain.pairs.size());
    const double total = sum_product(chain.scores, sums, expected, pairs);
    std::vector<double> found(expected.size());
    EXPECT_NEAR(label_probabilities(chain.scores, 1.0, scratch, found), total, 1e-9 * scale);
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9);
  }
}

}  // namespace
}  // namespace gapwise::internal
