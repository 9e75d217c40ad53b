#include "infer/matching/link_sets.h"

#include <gtest/gtest.h>

#include <array>

#include "core/random.h"

namespace gapwise::internal {
namespace {

/// Whether no row and no column of a set of links, a bit each, has more than `most`.
bool fits(unsigned set, Index rows, Index columns, Index most) {
  std::array<Index, 8> of_row{};
  std::array<Index, 8> of_column{};
  for (Index link = 0; link < rows * columns; ++link) {
    if ((set >> link & 1U) == 0) continue;
    if (++of_row[static_cast<std::size_t>(link / columns)] > most) return false;
    if (++of_column[static_cast<std::size_t>(link % columns)] > most) return false;
  }
  return true;
}

/// The best value over all sets of links against the one found, which must be a set that fits and
/// must have no link that gains nothing.
void expect_best(const std::vector<double>& weights, Index rows, Index columns, Index most,
                 LinkSearch& search) {
  const auto value = [&](unsigned set) {
    double sum = 0.0;
    for (std::size_t link = 0; link < weights.size(); ++link) {
      if ((set >> link & 1U) != 0) sum += weights[link];
    }
    return sum;
  };
  double best = 0.0;
  for (unsigned set = 0; set < 1U << weights.size(); ++set) {
    if (fits(set, rows, columns, most)) best = std::max(best, value(set));
  }
  std::vector<std::uint8_t> linked(weights.size(), 7);
  const double found = max_weight_links({weights.data(), rows, columns}, most, search, linked);
  unsigned set = 0;
  for (std::size_t link = 0; link < linked.size(); ++link) {
    ASSERT_LE(linked[link], 1);
    set |= static_cast<unsigned>(linked[link]) << link;
    if (linked[link] == 1) {
      ASSERT_GT(weights[link], 0.0);
    }
  }
  ASSERT_TRUE(fits(set, rows, columns, most));
  ASSERT_NEAR(found, best, 1e-12);
  ASSERT_NEAR(value(set), best, 1e-12);
}

/// All weights of -1, 0, 1 and 2 on two by three, which is full of ties.
TEST(LinkSets, EqualEnumerationOnEveryTinyInstance) {
  LinkSearch search;
  constexpr Index kRows = 2;
  constexpr Index kColumns = 3;
  std::vector<double> weights(kRows * kColumns);
  for (unsigned code = 0; code < 4096; ++code) {
    for (std::size_t link = 0; link < weights.size(); ++link) {
      weights[link] = static_cast<double>(code >> (2 * link) & 3U) - 1.0;
    }
    for (const Index most : {1, 2, 3}) expect_best(weights, kRows, kColumns, most, search);
  }
}

TEST(LinkSets, EqualEnumerationOnRandomInstances) {
  Rng rng(3);
  LinkSearch search;
  for (int trial = 0; trial < 300; ++trial) {
    const Index rows = 1 + rng.below(4);
    const Index columns = 1 + rng.below(rows == 4 ? 3 : 4);
    std::vector<double> weights(static_cast<std::size_t>(rows * columns));
    const bool has_ties = trial % 2 == 0;
    for (double& weight : weights) {
      weight = has_ties ? static_cast<double>(rng.below(5)) - 1.0 : 3.0 * rng.uniform() - 1.0;
    }
    expect_best(weights, rows, columns, 1 + rng.below(3), search);
  }
}

/// With one link each it is a matching, found in another way.
TEST(LinkSets, WithOneLinkEachAreMatchings) {
  Rng rng(4);
  LinkSearch search;
  MatchingSearch matching;
  for (int trial = 0; trial < 100; ++trial) {
    const Index rows = 1 + rng.below(30);
    const Index columns = 1 + rng.below(30);
    std::vector<double> weights(static_cast<std::size_t>(rows * columns));
    for (double& weight : weights) weight = 2.0 * rng.uniform() - 0.7;
    std::vector<std::uint8_t> linked(weights.size());
    std::vector<std::int32_t> column_of(static_cast<std::size_t>(rows));
    const MatchingScores scores{weights.data(), rows, columns};
    ASSERT_NEAR(max_weight_links(scores, 1, search, linked),
                max_weight_matching(scores, matching, column_of), 1e-9);
  }
}

}  // namespace
}  // namespace gapwise::internal
