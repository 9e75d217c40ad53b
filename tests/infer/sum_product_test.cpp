#include "infer/sum_product.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>

#include "support/problems.h"
#include "support/random_chain.h"

namespace gapwise::internal {
namespace {

using testing::RandomChain;
using testing::score_of;

struct Marginals {
  std::vector<double> nodes;
  std::vector<double> pairs;
  double log_sum = 0.0;

  explicit Marginals(const RandomChain& chain)
      : nodes(chain.nodes.size()), pairs(chain.pairs.size()) {}
};

Marginals computed(const RandomChain& chain) {
  Marginals out(chain);
  SumProductScratch scratch;
  out.log_sum = sum_product(chain.scores, scratch, out.nodes, out.pairs);
  return out;
}

/// Over all labellings, in long double.
Marginals enumerated(const RandomChain& chain) {
  const ChainScores& s = chain.scores;
  long double top = -1e300L;
  testing::for_each_labelling(s.length, s.labels, [&](const std::vector<std::int32_t>& y) {
    top = std::max<long double>(top, score_of(s, y));
  });
  long double total = 0.0L;
  std::vector<long double> nodes(chain.nodes.size(), 0.0L);
  std::vector<long double> pairs(chain.pairs.size(), 0.0L);
  testing::for_each_labelling(s.length, s.labels, [&](const std::vector<std::int32_t>& y) {
    const long double mass = std::exp(static_cast<long double>(score_of(s, y)) - top);
    total += mass;
    for (int t = 0; t < s.length; ++t) {
      const auto at = static_cast<std::size_t>(t);
      nodes[static_cast<std::size_t>(t * s.labels + y[at])] += mass;
      if (t == 0) continue;
      const int step = s.pairs_per_position ? t - 1 : 0;
      pairs[static_cast<std::size_t>((step * s.labels + y[at - 1]) * s.labels + y[at])] += mass;
    }
  });
  Marginals out(chain);
  for (std::size_t r = 0; r < nodes.size(); ++r)
    out.nodes[r] = static_cast<double>(nodes[r] / total);
  for (std::size_t r = 0; r < pairs.size(); ++r)
    out.pairs[r] = static_cast<double>(pairs[r] / total);
  out.log_sum = static_cast<double>(top + std::log(total));
  return out;
}

void expect_near(const Marginals& a, const Marginals& b, double tolerance) {
  for (std::size_t r = 0; r < a.nodes.size(); ++r) ASSERT_NEAR(a.nodes[r], b.nodes[r], tolerance);
  for (std::size_t r = 0; r < a.pairs.size(); ++r) ASSERT_NEAR(a.pairs[r], b.pairs[r], tolerance);
  ASSERT_NEAR(a.log_sum, b.log_sum, tolerance * std::max(1.0, std::abs(b.log_sum)));
}

TEST(SumProduct, EqualsEnumerationOnSmallChains) {
  Rng rng(3);
  for (int trial = 0; trial < 400; ++trial) {
    const RandomChain chain = testing::random_chain(trial, 1, 5, 5, rng);
    expect_near(computed(chain), enumerated(chain), 1e-13);
  }
}

TEST(SumProduct, KeepsItsAccuracyAtScoresOfTenThousand) {
  Rng rng(4);
  for (int trial = 0; trial < 200; ++trial) {
    const int length = 1 + static_cast<int>(rng.below(5));
    const int labels = 1 + static_cast<int>(rng.below(4));
    RandomChain chain(length, labels, trial % 3 == 0, false, rng);
    // Mostly extremes, so that many labellings tie at sums of tens of thousands.
    for (std::vector<double>* values : {&chain.nodes, &chain.pairs}) {
      for (double& x : *values) {
        const Index kind = rng.below(3);
        x = kind == 0 ? 1e4 : kind == 1 ? -1e4 : x;
      }
    }
    const Marginals found = computed(chain);
    for (const double p : found.nodes) ASSERT_TRUE(p >= 0.0 && p <= 1.0 + 1e-9);
    expect_near(found, enumerated(chain), 1e-10);
  }
}

TEST(SumProduct, GivesTheSameBitsForEveryInstructionSet) {
  Rng rng(5);
  for (int labels = 1; labels <= 40; ++labels) {
    const RandomChain chain(6, labels, labels % 2 == 0, false, rng);
    const Marginals first = computed(chain);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      const Marginals other = computed(chain);
      EXPECT_EQ(first.nodes, other.nodes) << labels << " labels, target " << target;
      EXPECT_EQ(first.pairs, other.pairs);
      EXPECT_EQ(first.log_sum, other.log_sum);
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

TEST(SumProduct, StaysADistributionOnLongChains) {
  Rng rng(6);
  RandomChain chain(5000, 7, false, false, rng);
  for (double& x : chain.nodes) x *= 100.0;
  const Marginals found = computed(chain);
  for (std::size_t t = 0; t < 5000; ++t) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 7; ++k) sum += found.nodes[t * 7 + k];
    ASSERT_NEAR(sum, 1.0, 1e-9) << t;
  }
  double transitions = 0.0;
  for (const double x : found.pairs) transitions += x;
  EXPECT_NEAR(transitions, 4999.0, 1e-6);
  EXPECT_TRUE(std::isfinite(found.log_sum));
}

TEST(SumProduct, IsTheSoftmaxWhenThereIsOnePosition) {
  const std::vector<double> scores{1e4, 1e4 + 1.0, -1e4};
  std::vector<double> p(3);
  SumProductScratch scratch;
  const double log_sum = sum_product({1, 3, scores.data(), nullptr, false}, scratch, p, {});
  EXPECT_NEAR(p[0], 1.0 / (1.0 + std::exp(1.0)), 1e-15);
  EXPECT_NEAR(p[1], 1.0 / (1.0 + std::exp(-1.0)), 1e-15);
  EXPECT_EQ(p[2], 0.0);
  EXPECT_NEAR(log_sum, 1e4 + std::log1p(std::exp(1.0)), 1e-11);
}

}  // namespace
}  // namespace gapwise::internal
