// Labellings made of segments, against enumeration, with ties and with forbidden labels and steps.

#include "infer/chain/segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "infer/chain/best_labellings.h"
#include "support/problems.h"
#include "support/random_chain.h"

namespace gapwise::internal {
namespace {

using Labels = std::vector<std::int32_t>;
using testing::RandomChain;

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// B, I, E and S of two types, and O; the second type has no segments of more than two positions.
SegmentTypes bioes_segments(int longest) {
  return {{{4, 1, 2, 3}, {7, 5, -1, 6}}, {0}, longest};
}

struct Case {
  RandomChain chain;
  SegmentTypes types;
  std::vector<double> segments;
  bool has_ties;

  /// Minus infinity for a labelling that is not made of segments.
  double score(const Labels& y) const {
    std::vector<Segment> found;
    if (find_segments(types, y, found)) return kNever;
    double sum = testing::score_of(chain.scores, y);
    for (const Segment& s : found) {
      sum += segments[segment_number(types, s.start, s.length, s.type)];
    }
    return sum;
  }
  /// All labellings that are not forbidden, best first.
  std::vector<ScoredLabelling> all() const {
    std::vector<ScoredLabelling> result;
    testing::for_each_labelling(chain.scores.length, chain.scores.labels, [&](const Labels& y) {
      if (const double value = score(y); value > kNever) result.push_back({y, value});
    });
    std::ranges::stable_sort(result,
                             [](const auto& a, const auto& b) { return a.score > b.score; });
    return result;
  }
};

/// Calls visit(case) for random tiny chains with segments of several kinds.
template <class Visit>
void for_each_case(Visit visit) {
  Rng rng(23);
  for (int trial = 0; trial < 400; ++trial) {
    const int longest = 1 + trial % 4;
    const bool is_bioes = trial % 3 == 0;
    const SegmentTypes types =
        is_bioes ? bioes_segments(longest)
                 : *testing::bio_segments(1 + static_cast<int>(rng.below(2)), longest);
    const int labels = is_bioes ? 8 : 2 * static_cast<int>(types.size()) + 1;
    const int length = 1 + static_cast<int>(rng.below(is_bioes ? 4 : 6));
    const bool has_ties = trial % 2 == 0;
    RandomChain chain(length, labels, trial % 5 == 0, has_ties, rng);
    if (trial % 7 < 2) chain.forbid(0.1, rng);
    std::vector<double> segments(static_cast<std::size_t>(length * longest) * types.size());
    for (double& x : segments) {
      x = rng.uniform() * 6.0 - 3.0;
      if (has_ties) x = std::round(x);
    }
    visit(Case{std::move(chain), types, std::move(segments), has_ties});
  }
}

TEST(FindSegments, CutsWhatIsMadeOfSegmentsOnly) {
  const auto types = testing::bio_segments(2, 2);
  std::vector<Segment> found;
  EXPECT_FALSE(find_segments(*types, Labels{0, 1, 2, 1, 3, 4, 0}, found));
  EXPECT_EQ(found, (std::vector<Segment>{{1, 2, 0}, {3, 1, 0}, {4, 2, 1}}));
  EXPECT_EQ(find_segments(*types, Labels{0, 2}, found), 1U);        // goes on with nothing
  EXPECT_EQ(find_segments(*types, Labels{1, 4}, found), 1U);        // of another type
  EXPECT_EQ(find_segments(*types, Labels{1, 2, 2, 0}, found), 2U);  // too long
  const SegmentTypes bioes = bioes_segments(4);
  EXPECT_FALSE(find_segments(bioes, Labels{4, 1, 2, 3, 5, 6, 7}, found));
  EXPECT_EQ(found, (std::vector<Segment>{{0, 1, 0}, {1, 3, 0}, {4, 2, 1}, {6, 1, 1}}));
  EXPECT_EQ(find_segments(bioes, Labels{0, 1, 2}, found), 1U);  // without an end
}

TEST(SegmentViterbi, FindsWhatEnumerationFinds) {
  SegmentScratch scratch;
  int infeasible = 0;
  for_each_case([&](const Case& one) {
    Labels y(static_cast<std::size_t>(one.chain.scores.length));
    const double value =
        segment_viterbi(one.chain.scores, one.types, one.segments.data(), scratch, y);
    const auto all = one.all();
    if (all.empty()) {
      ++infeasible;
      ASSERT_EQ(value, kNever);
      return;
    }
    ASSERT_NEAR(value, all[0].score, 1e-12);
    ASSERT_NEAR(one.score(y), value, 1e-12);
  });
  EXPECT_LT(infeasible, 40);
}

/// The chain of states has the same labellings with the same scores, each once.
TEST(SegmentChain, RanksWhatEnumerationRanks) {
  for_each_case([&](const Case& one) {
    SegmentChain chain(one.types);
    const auto all = one.all();
    const auto ranked =
        best_labellings(chain.scores(one.chain.scores, one.segments.data()), all.size() + 3);
    ASSERT_EQ(ranked.size(), all.size());
    std::set<Labels> seen;
    for (std::size_t k = 0; k < all.size(); ++k) {
      Labels y;
      for (const std::int32_t state : ranked[k].labels) {
        y.push_back(chain.labels()[static_cast<std::size_t>(state)]);
      }
      ASSERT_NEAR(ranked[k].score, all[k].score, 1e-12);
      ASSERT_NEAR(one.score(y), all[k].score, 1e-12);
      if (!one.has_ties) {
        ASSERT_EQ(y, all[k].labels);
      }
      ASSERT_TRUE(seen.insert(y).second);
    }
  });
}

}  // namespace
}  // namespace gapwise::internal
