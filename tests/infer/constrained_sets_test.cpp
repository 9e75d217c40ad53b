#include "infer/constrained_sets.h"

#include <gtest/gtest.h>

#include <set>

#include "core/random.h"

namespace gapwise::internal {
namespace {

using Set = std::vector<std::uint8_t>;

SetRules random_rules(std::size_t labels, Rng& rng) {
  SetRules rules;
  for (Index count = rng.below(4); count > 0; --count) {
    std::set<std::size_t> chosen;
    const auto size = 1 + static_cast<std::size_t>(rng.below(static_cast<Index>(labels)));
    while (chosen.size() < size) {
      chosen.insert(static_cast<std::size_t>(rng.below(static_cast<Index>(labels))));
    }
    SetRule rule;
    rule.kind = rng.below(2) == 0 ? SetRule::Kind::kImplies : SetRule::Kind::kAtMost;
    rule.most = static_cast<std::size_t>(rng.below(3));
    rule.labels.assign(chosen.begin(), chosen.end());
    if (rng.below(2) == 0) std::swap(rule.labels.front(), rule.labels.back());
    rules.push_back(rule);
  }
  return rules;
}

/// Scores in halves have many ties and no rounding.
std::vector<double> random_scores(std::size_t count, bool has_ties, Rng& rng) {
  std::vector<double> scores;
  for (std::size_t k = 0; k < count; ++k) {
    scores.push_back(has_ties ? 0.5 * static_cast<double>(rng.below(7)) - 1.5
                              : 3.0 * rng.uniform() - 1.5);
  }
  return scores;
}

TEST(ConstrainedSets, EqualEnumerationAndTiesGoToTheFirstSet) {
  Rng rng(11);
  for (int trial = 0; trial < 3000; ++trial) {
    const auto labels = 1 + static_cast<std::size_t>(rng.below(6));
    const SetRules rules = random_rules(labels, rng);
    const bool has_ties = trial % 3 != 0;
    const auto singles = random_scores(labels, has_ties, rng);
    const auto pairs = random_scores(num_pairs(labels), has_ties, rng);
    const bool has_pairs = trial % 4 != 0;
    const BinaryPairScores scores{labels, singles.data(), has_pairs ? pairs.data() : nullptr};
    Set best;
    double most = -1.0;
    for (unsigned code = 0; code < 1U << labels; ++code) {
      Set on(labels);
      for (std::size_t l = 0; l < labels; ++l) on[l] = code >> (labels - 1 - l) & 1U;
      if (first_broken(rules, on)) continue;
      const double value = score_of(scores, on);
      if (best.empty() || value > most + 1e-12) {
        best = on;
        most = value;
      }
    }
    ConstrainedSets decoder(labels, rules);
    Set found(labels, 7);
    for (int again = 0; again < 2; ++again) {
      const BinaryPairResult result = decoder.maximize(scores, found);
      ASSERT_TRUE(result.is_exact);
      ASSERT_FALSE(first_broken(rules, found));
      ASSERT_NEAR(result.value, most, 1e-12);
      ASSERT_NEAR(score_of(scores, found), most, 1e-12);
      if (has_ties) {
        ASSERT_EQ(found, best);
      }
    }
  }
}

/// Without rules it agrees with the decoder of all sets.
TEST(ConstrainedSets, WithoutRulesAreAllSets) {
  Rng rng(12);
  const SetRules none;
  for (int trial = 0; trial < 100; ++trial) {
    const auto labels = 1 + static_cast<std::size_t>(rng.below(12));
    const auto singles = random_scores(labels, false, rng);
    const auto pairs = random_scores(num_pairs(labels), false, rng);
    const BinaryPairScores scores{labels, singles.data(), pairs.data()};
    Set a(labels);
    Set b(labels);
    ConstrainedSets constrained(labels, none);
    BinaryPairDecoder all;
    ASSERT_NEAR(constrained.maximize(scores, a).value, all.maximize(scores, b).value, 1e-9);
    ASSERT_EQ(a, b);
  }
}

/// Too many to look at: the bound holds for the set found and for every other that keeps the rules.
TEST(ConstrainedSets, HaveABoundWhereTheSearchGivesUp) {
  Rng rng(13);
  const std::size_t labels = 60;
  const auto singles = random_scores(labels, false, rng);
  const auto pairs = random_scores(num_pairs(labels), false, rng);
  SetRule rule;
  rule.most = 20;
  for (std::size_t l = 0; l < labels; ++l) rule.labels.push_back(l);
  const SetRules rules{rule};
  const BinaryPairScores scores{labels, singles.data(), pairs.data()};
  Set found(labels);
  ConstrainedSets decoder(labels, rules);
  const BinaryPairResult result = decoder.maximize(scores, found);
  EXPECT_FALSE(result.is_exact);
  EXPECT_FALSE(first_broken(rules, found));
  EXPECT_NEAR(score_of(scores, found), result.value, 1e-9);
  EXPECT_GT(result.upper_bound, result.value);
  for (int trial = 0; trial < 1000; ++trial) {
    Set on(labels, 0);
    for (std::size_t k = 0; k < 20; ++k) {
      on[static_cast<std::size_t>(rng.below(static_cast<Index>(labels)))] = 1;
    }
    ASSERT_LE(score_of(scores, on), result.upper_bound);
  }
}

}  // namespace
}  // namespace gapwise::internal
