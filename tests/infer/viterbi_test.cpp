#include "infer/viterbi.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <limits>

#include "infer/chain/best_labellings.h"
#include "support/problems.h"
#include "support/random_chain.h"

namespace gapwise::internal {
namespace {

using testing::RandomChain;
using testing::score_of;

/// The textbook recursion with back pointers.
std::vector<std::int32_t> textbook(const ChainScores& s) {
  const auto k_count = static_cast<std::size_t>(s.labels);
  std::vector<double> best(s.nodes, s.nodes + k_count);
  std::vector<std::vector<std::int32_t>> back;
  for (int t = 1; t < s.length; ++t) {
    std::vector<double> next(k_count);
    back.emplace_back(k_count);
    const double* pairs = s.pairs + (s.pairs_per_position ? (t - 1) * s.labels * s.labels : 0);
    for (int k = 0; k < s.labels; ++k) {
      double top = -std::numeric_limits<double>::infinity();
      for (int j = 0; j < s.labels; ++j) {
        const double value = best[static_cast<std::size_t>(j)] + pairs[j * s.labels + k];
        if (value > top) {
          top = value;
          back.back()[static_cast<std::size_t>(k)] = j;
        }
      }
      next[static_cast<std::size_t>(k)] = s.nodes[t * s.labels + k] + top;
    }
    best = next;
  }
  std::vector<std::int32_t> y{
      static_cast<std::int32_t>(std::max_element(best.begin(), best.end()) - best.begin())};
  for (auto b = back.rbegin(); b != back.rend(); ++b) {
    y.insert(y.begin(), (*b)[static_cast<std::size_t>(y.front())]);
  }
  return y;
}

TEST(Viterbi, EqualsEnumerationOnSmallChains) {
  ViterbiScratch scratch;
  testing::for_random_chains(400, 3, [&](const RandomChain& chain, Rng&) {
    const auto [length, labels] = chain.size();
    double best = -std::numeric_limits<double>::infinity();
    testing::for_each_labelling(length, labels, [&](const std::vector<std::int32_t>& y) {
      best = std::max(best, score_of(chain.scores, y));
    });
    std::vector<std::int32_t> y(static_cast<std::size_t>(length));
    const double value = viterbi(chain.scores, scratch, y);
    ASSERT_NEAR(value, best, 1e-12);
    ASSERT_NEAR(score_of(chain.scores, y), best, 1e-12);
  });
}

/// Calls `check` for every instruction set of this machine with 1 to `most` labels.
void for_each_target(int most, auto check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    for (int labels = 1; labels <= most; ++labels) {
      SCOPED_TRACE(std::to_string(labels) + " labels, target " + std::to_string(target));
      check(labels);
      if (::testing::Test::HasFatalFailure()) return hwy::SetSupportedTargetsForTest(0);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Viterbi, GivesTheTextbookPathForEveryLabelCountAndInstructionSet) {
  Rng rng(5);
  ViterbiScratch scratch;
  for_each_target(70, [&](int labels) {
    const RandomChain chain(6, labels, labels % 2 == 0, labels % 3 == 0, rng);
    std::vector<std::int32_t> y(6);
    viterbi(chain.scores, scratch, y);
    ASSERT_EQ(y, textbook(chain.scores));
  });
}

/// The k best labellings, tested by enumeration, do not use the vectors of Viterbi.
TEST(Viterbi, OfSecondOrderGivesTheFirstOfTheBestForEveryInstructionSet) {
  Rng rng(6);
  ViterbiScratch scratch;
  for_each_target(20, [&](int labels) {
    const RandomChain chain(5, labels, labels % 2 == 0, labels % 3 == 0, rng, 2);
    std::vector<std::int32_t> y(5);
    const double value = viterbi(chain.scores, scratch, y);
    const auto best = best_labellings(chain.scores, 1);
    ASSERT_EQ(y, best[0].labels);
    ASSERT_EQ(value, best[0].score);
  });
}

TEST(Viterbi, BreaksTiesTowardsTheSmallerLabel) {
  ViterbiScratch scratch;
  const std::vector<double> zeros(30 * 30, 0.0);
  std::vector<std::int32_t> y(3, -1);
  EXPECT_EQ(viterbi({3, 10, zeros.data(), zeros.data(), false}, scratch, y), 0.0);
  EXPECT_EQ(y, (std::vector<std::int32_t>{0, 0, 0}));
}

}  // namespace
}  // namespace gapwise::internal
