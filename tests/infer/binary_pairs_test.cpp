#include "infer/binary_pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "infer/flow_network.h"
#include "infer/pair_enumeration.h"
#include "infer/roof_dual.h"

namespace gapwise::internal {
namespace {

using Set = std::vector<std::uint8_t>;

struct Scores {
  std::vector<double> singles;
  std::vector<double> pairs;

  BinaryPairScores view() const { return {singles.size(), singles.data(), pairs.data()}; }
};

/// Set number `code`, label 0 being the highest bit, so that sets come in the order of ties.
Set set_of(std::size_t labels, std::uint64_t code) {
  Set on(labels);
  for (std::size_t a = 0; a < labels; ++a) {
    on[a] = static_cast<std::uint8_t>((code >> (labels - 1 - a)) & 1U);
  }
  return on;
}

struct Best {
  double value;
  Set on;
};

Best brute_force(const Scores& scores) {
  const std::size_t labels = scores.singles.size();
  double most = 0.0;
  std::uint64_t best = 0;
  for (std::uint64_t code = 1; code < std::uint64_t{1} << labels; ++code) {
    double value = 0.0;
    std::size_t pair = 0;
    const auto is_on = [&](std::size_t a) { return ((code >> (labels - 1 - a)) & 1U) != 0; };
    for (std::size_t a = 0; a < labels; pair += labels - 1 - a, ++a) {
      if (!is_on(a)) continue;
      value += scores.singles[a];
      for (std::size_t b = a + 1; b < labels; ++b) {
        if (is_on(b)) value += scores.pairs[pair + b - a - 1];
      }
    }
    if (value > most) {
      most = value;
      best = code;
    }
  }
  return {most, set_of(labels, best)};
}

enum class Pairs { kAny, kAttractive, kRepulsive, kSparse };

Scores random_scores(std::size_t labels, Rng& rng, Pairs kind, bool has_ties) {
  const auto draw = [&] {
    const double x = rng.uniform() * 6.0 - 3.0;
    return has_ties ? std::round(x) : x;
  };
  Scores scores;
  for (std::size_t a = 0; a < labels; ++a) scores.singles.push_back(draw());
  for (std::size_t p = 0; p < num_pairs(labels); ++p) {
    const double x = draw();
    if (kind == Pairs::kAttractive) {
      scores.pairs.push_back(0.5 * std::fabs(x));
    } else if (kind == Pairs::kRepulsive) {
      scores.pairs.push_back(-std::fabs(x));
    } else {
      scores.pairs.push_back(kind == Pairs::kSparse && rng.uniform() < 0.7 ? 0.0 : x);
    }
  }
  if (kind == Pairs::kAttractive) {  // or everything would be on
    for (double& x : scores.singles) x -= std::round(0.3 * static_cast<double>(labels));
  }
  return scores;
}

PairProblem problem_of(const Scores& scores) {
  PairProblem problem;
  problem.load(scores.view());
  return problem;
}

PairTerms terms_of(const Scores& scores) {
  PairTerms terms;
  problem_of(scores).list_terms(terms);
  return terms;
}

constexpr Pairs kKinds[] = {Pairs::kAny, Pairs::kAttractive, Pairs::kRepulsive, Pairs::kSparse};

TEST(BinaryPairs, NumbersPairsRowByRow) {
  for (const std::size_t labels : {0U, 1U, 2U, 3U, 9U}) {
    std::size_t next = 0;
    for (std::size_t a = 0; a < labels; ++a) {
      for (std::size_t b = a + 1; b < labels; ++b) EXPECT_EQ(pair_index(labels, a, b), next++);
    }
    EXPECT_EQ(num_pairs(labels), next);
  }
}

TEST(BinaryPairs, EqualsEnumerationOnEveryTinyInstance) {
  // All scores from {-1, 0, 1}: ties everywhere.
  BinaryPairDecoder decoder;
  for (std::size_t labels = 1; labels <= 4; ++labels) {
    const std::size_t numbers = labels + num_pairs(labels);
    const auto count = static_cast<std::uint64_t>(std::pow(3.0, static_cast<double>(numbers)));
    Scores scores;
    for (std::uint64_t instance = 0; instance < count; ++instance) {
      scores.singles.clear();
      scores.pairs.clear();
      std::uint64_t code = instance;
      for (std::size_t k = 0; k < numbers; ++k, code /= 3) {
        (k < labels ? scores.singles : scores.pairs).push_back(static_cast<double>(code % 3) - 1.0);
      }
      const Best best = brute_force(scores);
      Set on(labels, 7);
      const BinaryPairResult found = decoder.maximize(scores.view(), on);
      ASSERT_EQ(found.value, best.value) << labels << " labels, instance " << instance;
      ASSERT_EQ(found.upper_bound, best.value);
      ASSERT_TRUE(found.is_exact);
      ASSERT_EQ(on, best.on) << labels << " labels, instance " << instance;
    }
  }
}

TEST(BinaryPairs, EqualsEnumerationOnRandomInstances) {
  BinaryPairDecoder decoder;
  Rng rng(5);
  for (int trial = 0; trial < 600; ++trial) {
    const bool has_ties = trial % 2 == 0;
    const std::size_t labels = 1 + static_cast<std::size_t>(rng.below(12));
    const Scores scores =
        random_scores(labels, rng, kKinds[static_cast<std::size_t>(rng.below(4))], has_ties);
    const Best best = brute_force(scores);
    Set on(labels, 7);
    const BinaryPairResult found = decoder.maximize(scores.view(), on);
    ASSERT_TRUE(found.is_exact);
    ASSERT_NEAR(found.value, best.value, 1e-12);
    ASSERT_EQ(found.value, score_of(scores.view(), on));
    if (has_ties) {
      ASSERT_EQ(on, best.on) << "trial " << trial;
    }
  }
}

TEST(BinaryPairs, EnumeratesAsManyLabelsAsItSays) {
  BinaryPairDecoder decoder;
  Rng rng(6);
  for (int trial = 0; trial < 3; ++trial) {
    const Scores scores = random_scores(kMostEnumerated, rng, Pairs::kAny, trial > 0);
    const Best best = brute_force(scores);
    Set on(kMostEnumerated);
    const BinaryPairResult found = decoder.maximize(scores.view(), on);
    EXPECT_TRUE(found.is_exact);
    EXPECT_NEAR(found.value, best.value, 1e-12);
    EXPECT_EQ(on, best.on);
  }
}

TEST(BinaryPairs, IsExactALittleBeyondEnumeration) {
  BinaryPairDecoder decoder;
  Rng rng(7);
  for (int trial = 0; trial < 16; ++trial) {
    const std::size_t labels = kMostEnumerated + 1;
    const Scores scores = random_scores(labels, rng, kKinds[trial % 4], trial % 8 < 4);
    const Best best = brute_force(scores);
    Set on(labels);
    const BinaryPairResult found = decoder.maximize(scores.view(), on);
    EXPECT_EQ(found.value, score_of(scores.view(), on));
    EXPECT_NEAR(found.value, best.value, 1e-9) << "trial " << trial;
    EXPECT_TRUE(found.is_exact);
    EXPECT_EQ(found.upper_bound, found.value);
  }
}

TEST(BinaryPairs, KnowsABoundWhereItGivesUp) {
  BinaryPairDecoder decoder;
  Rng rng(11);
  int inexact = 0;
  for (int trial = 0; trial < 6; ++trial) {
    const std::size_t labels = 60;
    const Scores scores = random_scores(labels, rng, Pairs::kAny, trial % 2 == 0);
    Set on(labels);
    const BinaryPairResult found = decoder.maximize(scores.view(), on);
    EXPECT_EQ(found.value, score_of(scores.view(), on));
    EXPECT_GE(found.upper_bound, found.value);
    inexact += found.is_exact ? 0 : 1;
    for (int sample = 0; sample < 100; ++sample) {  // climb from a random set
      Set other(labels);
      for (std::uint8_t& x : other) x = static_cast<std::uint8_t>(rng.below(2));
      for (std::size_t a = 0; a < labels; ++a) {
        const double before = score_of(scores.view(), other);
        other[a] ^= 1U;
        if (score_of(scores.view(), other) < before) other[a] ^= 1U;
      }
      EXPECT_LE(score_of(scores.view(), other), found.upper_bound + 1e-9);
    }
  }
  EXPECT_GT(inexact, 0) << "the instances are too easy";
}

TEST(PairEnumeration, BoundsWhatItLeavesOut) {
  Rng rng(12);
  PairEnumeration enumeration;
  int improved = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t labels = 2 + static_cast<std::size_t>(rng.below(10));
    const Scores scores = random_scores(labels, rng, kKinds[trial % 4], trial % 8 < 4);
    const Best best = brute_force(scores);
    PairProblem problem = problem_of(scores);
    problem.put_promising_first();
    Set on(labels, 0);
    const auto visits = static_cast<std::size_t>(rng.below(30));
    const double bound = enumeration.improve(problem, visits, on);
    const double value = score_of(scores.view(), on);
    ASSERT_GE(value, 0.0);
    ASSERT_GE(bound, best.value - 1e-9);
    ASSERT_GE(bound, value - 1e-9);
    if (bound <= value + 1e-9) {
      ASSERT_NEAR(value, best.value, 1e-9);
    }
    improved += value > 0.0 ? 1 : 0;
    enumeration.improve(problem, std::size_t{1} << labels, on);
    ASSERT_NEAR(score_of(scores.view(), on), best.value, 1e-9);
  }
  EXPECT_GT(improved, 50);
}

TEST(BinaryPairs, CutsManyAttractiveLabelsExactly) {
  // A set is optimal if the certificate of the cut says so; ties go to the smallest set.
  BinaryPairDecoder decoder;
  Rng rng(8);
  for (int trial = 0; trial < 10; ++trial) {
    const Scores scores = random_scores(80, rng, Pairs::kAttractive, trial % 2 == 0);
    RoofDual roof;
    roof.run(terms_of(scores));
    Set on(80);
    const BinaryPairResult found = decoder.maximize(scores.view(), on);
    EXPECT_TRUE(found.is_exact);
    EXPECT_NEAR(found.value, roof.upper_bound(), 1e-9);
  }
}

TEST(BinaryPairs, GoesToTheFirstOfEquallyGoodSetsWhenCutting) {
  // Forty labels in twenty couples that lose 1 each alone and gain 2 together: all sets of couples
  // score 0, and the empty one comes first.
  Scores scores{std::vector<double>(40, -1.0), std::vector<double>(num_pairs(40), 0.0)};
  for (std::size_t a = 0; a < 40; a += 2) scores.pairs[pair_index(40, a, a + 1)] = 2.0;
  Set on(40, 7);
  const BinaryPairResult found = BinaryPairDecoder().maximize(scores.view(), on);
  EXPECT_TRUE(found.is_exact);
  EXPECT_EQ(on, Set(40, 0));
}

TEST(BinaryPairs, DecidesWithoutPairsByTheSign) {
  const std::vector<double> singles{1.0, -1.0, 0.0, 1e-300};
  Set on(4, 7);
  const BinaryPairResult found = BinaryPairDecoder().maximize({4, singles.data(), nullptr}, on);
  EXPECT_EQ(on, (Set{1, 0, 0, 1}));
  EXPECT_EQ(found.value, 1.0 + 1e-300);
  EXPECT_TRUE(found.is_exact);
}

TEST(RoofDual, BoundsAllSetsAndDecidesOnlyWhatEveryBestSetHas) {
  Rng rng(9);
  int decided = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t labels = 2 + static_cast<std::size_t>(rng.below(8));
    const Pairs kind = kKinds[trial % 4];
    const Scores scores = random_scores(labels, rng, kind, trial % 8 < 4);
    RoofDual roof;
    roof.run(terms_of(scores));
    const Best best = brute_force(scores);
    ASSERT_GE(roof.upper_bound(), best.value - 1e-9);
    for (std::size_t a = 0; a < labels; ++a) {
      if (roof.decisions()[a] == Decision::kOpen) continue;
      ++decided;
      ASSERT_EQ(roof.decisions()[a] == Decision::kOn, best.on[a] == 1);
    }
    if (kind == Pairs::kAttractive) {
      ASSERT_NEAR(roof.upper_bound(), best.value, 1e-9);
    }
  }
  EXPECT_GT(decided, 100);
}

TEST(MaxFlow, FindsTheFlowOfATextbookNetwork) {
  const std::vector<FlowLink> links{{0, 1}, {0, 2}, {1, 3}, {2, 1}, {2, 4},
                                    {3, 2}, {3, 5}, {4, 3}, {4, 5}};
  const FlowNetwork network(6, links);
  MaxFlow flow;
  flow.start(network);
  const double capacities[] = {16, 13, 12, 4, 14, 9, 20, 7, 4};
  for (std::size_t k = 0; k < links.size(); ++k) flow.set(k, capacities[k], 0.0);
  EXPECT_EQ(flow.run(0, 5), 23.0);
  for (const std::size_t v : {0U, 1U, 2U, 4U}) EXPECT_TRUE(flow.is_reached(v)) << v;
  for (const std::size_t v : {3U, 5U}) EXPECT_TRUE(flow.reaches_sink(v)) << v;
  const FlowNetwork without_links(2, {});
  flow.start(without_links);
  EXPECT_EQ(flow.run(0, 1), 0.0);
}

}  // namespace
}  // namespace gapwise::internal
