#include "infer/dependency.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/random.h"

namespace gapwise::internal {
namespace {

using Heads = std::vector<std::int32_t>;

struct RandomArcs {
  RandomArcs(int count, bool has_ties, Rng& rng)
      : words(count), values(static_cast<std::size_t>((count + 1) * (count + 1))) {
    for (double& value : values) {
      value = has_ties ? static_cast<double>(rng.below(3)) : 10.0 * rng.uniform() - 5.0;
    }
  }
  ArcScores scores() const { return {words, values.data()}; }
  int words;
  std::vector<double> values;
};

double score_of(const ArcScores& arcs, const Heads& heads) {
  double sum = 0.0;
  for (int m = 1; m <= arcs.words; ++m) sum += arcs(heads[static_cast<std::size_t>(m - 1)], m);
  return sum;
}

/// Whether everyone gets to the root, written in the plainest way.
bool reaches_root(const Heads& heads) {
  for (std::int32_t v : heads) {
    for (std::size_t steps = 0; v != 0; ++steps) {
      if (steps > heads.size()) return false;
      v = heads[static_cast<std::size_t>(v - 1)];
    }
  }
  return true;
}

/// Whether no two arcs cross, written in the plainest way.
bool crosses_nothing(const Heads& heads) {
  const auto words = static_cast<int>(heads.size());
  const auto low = [&](int m) { return std::min(m, heads[static_cast<std::size_t>(m - 1)]); };
  const auto high = [&](int m) { return std::max(m, heads[static_cast<std::size_t>(m - 1)]); };
  for (int a = 1; a <= words; ++a) {
    for (int b = 1; b <= words; ++b) {
      if (low(a) < low(b) && low(b) < high(a) && high(a) < high(b)) return false;
    }
  }
  return true;
}

struct Kind {
  bool is_projective;
  RootCount roots;
};
constexpr Kind kKinds[] = {{true, RootCount::kOne},
                           {true, RootCount::kMany},
                           {false, RootCount::kOne},
                           {false, RootCount::kMany}};

/// Every tree of a kind.
template <class Visit>
void for_each_tree(int words, const Kind& kind, Visit visit) {
  Heads heads(static_cast<std::size_t>(words), 0);
  while (true) {
    const auto num_roots = std::count(heads.begin(), heads.end(), 0);
    if (reaches_root(heads) && (kind.roots == RootCount::kMany || num_roots == 1) &&
        (!kind.is_projective || crosses_nothing(heads))) {
      visit(heads);
    }
    std::size_t at = 0;
    while (at < heads.size() && ++heads[at] > words) heads[at++] = 0;
    if (at == heads.size()) return;
  }
}

double decode(const ArcScores& arcs, const Kind& kind, Heads& heads) {
  static EisnerScratch projective;
  static SpanningTreeScratch crossing;
  heads.assign(static_cast<std::size_t>(arcs.words), -1);
  return kind.is_projective ? eisner(arcs, kind.roots, projective, heads)
                            : chu_liu_edmonds(arcs, kind.roots, crossing, heads);
}

TEST(Dependency, EqualsEnumerationOfAllTreesOfUpToFiveWords) {
  Rng rng(3);
  for (const Kind& kind : kKinds) {
    for (int words = 1; words <= 5; ++words) {
      std::vector<Heads> trees;
      for_each_tree(words, kind, [&](const Heads& heads) { trees.push_back(heads); });
      for (int trial = 0; trial < 60; ++trial) {
        const RandomArcs arcs(words, trial % 2 == 0, rng);
        double best = -std::numeric_limits<double>::infinity();
        for (const Heads& heads : trees) best = std::max(best, score_of(arcs.scores(), heads));
        Heads heads;
        const double value = decode(arcs.scores(), kind, heads);
        ASSERT_NEAR(value, best, 1e-12);
        ASSERT_NEAR(score_of(arcs.scores(), heads), best, 1e-12);
        ASSERT_NE(std::find(trees.begin(), trees.end(), heads), trees.end());
      }
    }
  }
}

TEST(Dependency, ThereAreAsManyTreesAsThereShouldBe) {
  const std::vector<std::vector<int>> expected{
      {1, 2, 7, 30}, {1, 3, 12, 55}, {1, 2, 9, 64}, {1, 3, 16, 125}};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    for (int words = 1; words <= 4; ++words) {
      int count = 0;
      for_each_tree(words, kKinds[k], [&](const Heads&) { ++count; });
      EXPECT_EQ(count, expected[k][static_cast<std::size_t>(words - 1)]);
    }
  }
}

TEST(Dependency, EveryTreeIsFoundWhenItsArcsAreTheBest) {
  for (const Kind& kind : kKinds) {
    for_each_tree(4, kind, [&](const Heads& tree) {
      std::vector<double> values(25, 0.0);
      for (std::size_t m = 1; m <= 4; ++m) {
        values[static_cast<std::size_t>(tree[m - 1]) * 5 + m] = 1.0;
      }
      Heads heads;
      EXPECT_EQ(decode({4, values.data()}, kind, heads), 4.0);
      EXPECT_EQ(heads, tree);
    });
  }
}

TEST(Dependency, TellsTreesAndProjectiveTreesFromOthers) {
  Heads heads(5, 0);
  while (true) {
    ASSERT_EQ(is_tree(heads), reaches_root(heads));
    if (is_tree(heads)) {
      ASSERT_EQ(is_projective(heads), crosses_nothing(heads));
    }
    std::size_t at = 0;
    while (at < heads.size() && ++heads[at] > 5) heads[at++] = 0;
    if (at == heads.size()) break;
  }
}

/// Eisner's recursions in the order of span widths, without any tricks.
double textbook(const ArcScores& arcs) {
  const int n = arcs.words + 1;
  const auto square = [n] {
    return std::vector<std::vector<double>>(static_cast<std::size_t>(n),
                                            std::vector<double>(static_cast<std::size_t>(n), 0.0));
  };
  auto cr = square(), cl = square(), ir = square(), il = square();
  const auto at = [](auto& table, int i, int j) -> double& {
    return table[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  };
  for (int width = 1; width < n; ++width) {
    for (int i = 0; i + width < n; ++i) {
      const int j = i + width;
      double inside = -1e300, right = -1e300, left = -1e300;
      for (int k = i; k < j; ++k) inside = std::max(inside, at(cr, i, k) + at(cl, k + 1, j));
      at(ir, i, j) = inside + arcs(i, j);
      at(il, i, j) = i == 0 ? -1e300 : inside + arcs(j, i);
      for (int k = i + 1; k <= j; ++k) right = std::max(right, at(ir, i, k) + at(cr, k, j));
      for (int k = i; k < j; ++k) left = std::max(left, at(cl, i, k) + at(il, k, j));
      at(cr, i, j) = right;
      at(cl, i, j) = left;
    }
  }
  return at(cr, 0, n - 1);
}

TEST(Eisner, EqualsTheTextbookForEveryLengthAndInstructionSet) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    Rng rng(7);
    for (int words = 1; words <= 40; ++words) {
      const RandomArcs arcs(words, words % 2 == 0, rng);
      Heads heads;
      const double value = decode(arcs.scores(), {true, RootCount::kMany}, heads);
      ASSERT_NEAR(value, textbook(arcs.scores()), 1e-9);
      ASSERT_NEAR(value, score_of(arcs.scores(), heads), 1e-9);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Dependency, LongSentencesGetTreesAndMoreFreedomNeverCosts) {
  Rng rng(11);
  const RandomArcs arcs(200, false, rng);
  std::vector<double> values;
  for (const Kind& kind : kKinds) {
    Heads heads;
    values.push_back(decode(arcs.scores(), kind, heads));
    EXPECT_NEAR(values.back(), score_of(arcs.scores(), heads), 1e-9);
    EXPECT_TRUE(is_tree(heads));
    EXPECT_TRUE(!kind.is_projective || is_projective(heads));
    if (kind.roots == RootCount::kOne) {
      EXPECT_EQ(std::count(heads.begin(), heads.end(), 0), 1);
    }
  }
  EXPECT_LE(values[0], values[1]);
  EXPECT_LE(values[2], values[3]);
  EXPECT_LE(values[0], values[2]);
  EXPECT_LE(values[1], values[3]);
}

}  // namespace
}  // namespace gapwise::internal
