#include "infer/count_viterbi.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/problems.h"
#include "support/random_chain.h"

namespace gapwise::internal {
namespace {

using testing::RandomChain;
using testing::score_of;
using Labels = std::vector<std::int32_t>;

constexpr double kNone = -std::numeric_limits<double>::infinity();

int differences(const Labels& a, const Labels& b) {
  int count = 0;
  for (std::size_t t = 0; t < a.size(); ++t) count += a[t] != b[t] ? 1 : 0;
  return count;
}

TEST(CountViterbi, EqualsEnumerationForEveryNumberOfDifferences) {
  CountViterbi solver;
  testing::for_random_chains(300, 11, [&](const RandomChain& chain, Rng& rng) {
    const auto [length, labels] = chain.size();
    Labels reference(static_cast<std::size_t>(length));
    for (std::int32_t& label : reference) label = static_cast<std::int32_t>(rng.below(labels));
    std::vector<double> best(static_cast<std::size_t>(length) + 1, kNone);
    testing::for_each_labelling(length, labels, [&](const Labels& y) {
      double& top = best[static_cast<std::size_t>(differences(y, reference))];
      top = std::max(top, score_of(chain.scores, y));
    });
    const auto found = solver.solve(chain.scores, reference);
    ASSERT_EQ(found.size(), best.size());
    for (int count = 0; count <= length; ++count) {
      const double expected = best[static_cast<std::size_t>(count)];
      if (expected == kNone) {
        ASSERT_EQ(found[static_cast<std::size_t>(count)], kNone);
        continue;
      }
      ASSERT_NEAR(found[static_cast<std::size_t>(count)], expected, 1e-12);
      Labels y(static_cast<std::size_t>(length), -1);
      solver.labelling(count, y);
      ASSERT_EQ(differences(y, reference), count);
      ASSERT_NEAR(score_of(chain.scores, y), expected, 1e-12);
    }
  });
}

TEST(CountViterbi, BreaksTiesTowardsTheSmallerLabelFromTheEnd) {
  const std::vector<double> zeros(9, 0.0);
  const Labels reference{0, 0, 0};
  CountViterbi solver;
  solver.solve({3, 3, zeros.data(), zeros.data(), false}, reference);
  Labels y(3, -1);
  solver.labelling(1, y);
  EXPECT_EQ(y, (Labels{1, 0, 0}));
  solver.labelling(3, y);
  EXPECT_EQ(y, (Labels{1, 1, 1}));
}

}  // namespace
}  // namespace gapwise::internal
