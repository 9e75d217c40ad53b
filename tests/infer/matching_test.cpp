#include "infer/matching/matching.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/random.h"

namespace gapwise::internal {
namespace {

using Columns = std::vector<std::int32_t>;

struct Matching {
  double value;
  Columns columns;
};

Matching solve(const std::vector<double>& weights, Index rows, Index columns) {
  MatchingSearch search;
  Matching found{0.0, Columns(static_cast<std::size_t>(rows))};
  found.value = max_weight_matching({weights.data(), rows, columns}, search, found.columns);
  return found;
}

/// All matchings in the order of their lists of columns; the first of the best ones.
Matching enumerate(const std::vector<double>& weights, Index rows, Index columns) {
  Matching best{-1.0, {}};
  Columns chosen;
  std::vector<bool> is_taken(static_cast<std::size_t>(columns), false);
  const std::function<void(double)> extend = [&](double value) {
    const auto r = chosen.size();
    if (static_cast<Index>(r) == rows) {
      if (value > best.value + 1e-9) best = {value, chosen};
      return;
    }
    chosen.push_back(kUnmatched);
    extend(value);
    for (std::size_t c = 0; c < is_taken.size(); ++c) {
      if (is_taken[c]) continue;
      is_taken[c] = true;
      chosen.back() = static_cast<std::int32_t>(c);
      extend(value + weights[r * is_taken.size() + c]);
      is_taken[c] = false;
    }
    chosen.pop_back();
  };
  extend(0.0);
  return best;
}

void expect_best(const std::vector<double>& weights, Index rows, Index columns) {
  const Matching expected = enumerate(weights, rows, columns);
  const Matching found = solve(weights, rows, columns);
  ASSERT_NEAR(found.value, expected.value, 1e-9);
  ASSERT_EQ(found.columns, expected.columns);
}

TEST(Matching, EqualsEnumerationOnEveryTinyInstance) {
  for (Index rows = 0; rows <= 3; ++rows) {
    for (Index columns = 0; columns <= 3; ++columns) {
      const auto links = static_cast<std::size_t>(rows * columns);
      std::vector<double> weights(links, -1.0);
      while (true) {
        expect_best(weights, rows, columns);
        std::size_t k = 0;
        while (k < links && weights[k] == 1.0) weights[k++] = -1.0;
        if (k == links) break;
        weights[k] += 1.0;
      }
    }
  }
}

struct Instance {
  Index rows;
  Index columns;
  std::vector<double> weights;
};

/// Up to `most` rows and columns, weights from -below to range - below.
Instance draw_instance(Index most, double range, double below, Rng& rng) {
  Instance drawn{1 + rng.below(most), 1 + rng.below(most), {}};
  drawn.weights.resize(static_cast<std::size_t>(drawn.rows * drawn.columns));
  for (double& weight : drawn.weights) weight = rng.uniform() * range - below;
  return drawn;
}

TEST(Matching, EqualsEnumerationOnRandomInstancesWithAndWithoutTies) {
  Rng rng(5);
  for (int trial = 0; trial < 3000; ++trial) {
    const Instance drawn = draw_instance(5, 6.0, 2.5, rng);
    std::vector<double> weights = drawn.weights;
    for (double& weight : weights) {
      if (trial % 3 == 0) weight = std::round(weight);
      if (trial % 3 == 1) weight = 0.1 * std::round(weight);  // ties up to rounding
    }
    expect_best(weights, drawn.rows, drawn.columns);
  }
}

TEST(Matching, PricesProveThatNoMatchingIsBetter) {
  Rng rng(7);
  MatchingSearch search;  // kept, as oracles do
  for (int trial = 0; trial < 300; ++trial) {
    auto [rows, columns, weights] = draw_instance(40, 10.0, 7.0, rng);
    if (trial % 2 == 0) {
      for (double& weight : weights) weight = std::round(weight);
    }
    const MatchingScores scores{weights.data(), rows, columns};
    Columns match(static_cast<std::size_t>(rows));
    const double value = max_weight_matching(scores, search, match);
    double prices = 0.0;
    std::vector<bool> is_taken(static_cast<std::size_t>(columns), false);
    for (std::size_t r = 0; r < match.size(); ++r) {
      ASSERT_GE(search.row_prices[r], 0.0);
      prices += search.row_prices[r];
      if (match[r] != kUnmatched) {
        ASSERT_FALSE(is_taken[static_cast<std::size_t>(match[r])]);
        is_taken[static_cast<std::size_t>(match[r])] = true;
      }
      for (std::size_t c = 0; c < is_taken.size(); ++c) {
        ASSERT_GE(search.row_prices[r] + search.column_prices[c], scores.at(r, c) - 1e-12);
      }
    }
    for (const double price : search.column_prices) {
      ASSERT_GE(price, 0.0);
      prices += price;
    }
    ASSERT_NEAR(value, prices, 1e-10);
  }
}

/// Scores [[2,-1],[0.5,1]] with the truth on the diagonal; a wrong link costs 1, a missing one 3.
TEST(Matching, GoldenExampleIsMostViolatedByTheOtherDiagonal) {
  const Matching found = solve({2.0 - 3.0, -1.0 + 1.0, 0.5 + 1.0, 1.0 - 3.0}, 2, 2);
  EXPECT_EQ(found.columns, (Columns{kUnmatched, 0}));
  EXPECT_EQ(found.value + 2 * 3.0, 7.5);
}

TEST(Matching, MakesNoLinksThatGainNothing) {
  EXPECT_EQ(solve({0.0, 0.0, -1.0, 0.0}, 2, 2).columns, (Columns{kUnmatched, kUnmatched}));
  EXPECT_EQ(solve({1e-3, 0.0, 0.0, 0.0}, 2, 2).columns, (Columns{0, kUnmatched}));
}

TEST(Matching, LeavesARowAloneForABetterOne) {
  EXPECT_EQ(solve({2.0, 3.0, 1.0}, 3, 1).columns, (Columns{kUnmatched, 0, kUnmatched}));
  EXPECT_EQ(solve({2.0, 3.0, 1.0}, 1, 3).columns, (Columns{1}));
}

}  // namespace
}  // namespace gapwise::internal
