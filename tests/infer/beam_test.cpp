#include "infer/beam.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_chain.h"

namespace gapwise::internal {
namespace {

using testing::RandomChain;
using testing::score_of;
using Labels = std::vector<std::int32_t>;

Labels search(const ChainScores& scores, int width, bool& is_exact) {
  BeamScratch scratch;
  Labels y(static_cast<std::size_t>(scores.length), -1);
  is_exact = beam_search(scores, width, scratch, y);
  return y;
}

/// The definition, with whole labellings: all one-label extensions of those kept, of which only the
/// best for each last label and then only the `width` best go on.
Labels by_definition(const ChainScores& s, int width) {
  struct Path {
    Labels y;
    double score;
  };
  std::vector<Path> kept{{{}, 0.0}};
  for (int t = 0; t < s.length; ++t) {
    std::vector<Path> next;
    for (int k = 0; k < s.labels; ++k) {
      const Path* from = nullptr;
      double best = 0.0;
      for (const Path& path : kept) {
        const int step = s.pairs_per_position ? t - 1 : 0;
        const double pair = t > 0 ? s.pairs[(step * s.labels + path.y.back()) * s.labels + k] : 0.0;
        if (from != nullptr && path.score + pair <= best) continue;
        from = &path;
        best = path.score + pair;
      }
      Path path{from->y, best + s.nodes[t * s.labels + k]};
      path.y.push_back(k);
      next.push_back(path);
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const Path& a, const Path& b) { return a.score > b.score; });
    if (t + 1 < s.length) next.resize(static_cast<std::size_t>(std::min(width, s.labels)));
    std::vector<Path> by_label = next;
    std::sort(by_label.begin(), by_label.end(),
              [](const Path& a, const Path& b) { return a.y.back() < b.y.back(); });
    kept = t + 1 < s.length ? by_label : next;
  }
  return kept.front().y;
}

TEST(Beam, FollowsItsDefinitionForEveryWidth) {
  Rng rng(7);
  for (int trial = 0; trial < 300; ++trial) {
    const RandomChain chain = testing::random_chain(trial, 1, 7, 6, rng);
    const auto [length, labels] = chain.size();
    for (int width = 1; width <= labels + 1; ++width) {
      bool is_exact = false;
      ASSERT_EQ(search(chain.scores, width, is_exact), by_definition(chain.scores, width));
    }
  }
}

TEST(Beam, IsViterbiWhenItDropsNothingAndSaysSo) {
  Rng rng(8);
  for (int trial = 0; trial < 100; ++trial) {
    const RandomChain chain = testing::random_chain(trial, 2, 6, 5, rng);
    const auto [length, labels] = chain.size();
    ViterbiScratch scratch;
    Labels best(static_cast<std::size_t>(length));
    viterbi(chain.scores, scratch, best);
    bool is_exact = false;
    for (const int width : {0, labels, labels + 3}) {
      EXPECT_EQ(search(chain.scores, width, is_exact), best);
      EXPECT_TRUE(is_exact);
    }
    const Labels found = search(chain.scores, labels - 1, is_exact);
    EXPECT_FALSE(is_exact);
    EXPECT_LE(score_of(chain.scores, found), score_of(chain.scores, best) + 1e-12);
  }
}

TEST(Beam, MissesWhatLooksBadAtFirst) {
  const std::vector<double> nodes{1.0, 0.0, 0.0, 0.0};
  const std::vector<double> pairs{0.0, 0.0, 0.0, 5.0};  // only 1 -> 1 is worth something
  bool is_exact = true;
  EXPECT_EQ(search({2, 2, nodes.data(), pairs.data(), false}, 1, is_exact), (Labels{0, 0}));
  EXPECT_FALSE(is_exact);
  EXPECT_EQ(search({2, 2, nodes.data(), pairs.data(), false}, 2, is_exact), (Labels{1, 1}));
  EXPECT_TRUE(is_exact);
}

TEST(Beam, IsExactOnASinglePosition) {
  const std::vector<double> nodes{1.0, 3.0, 3.0};
  bool is_exact = false;
  EXPECT_EQ(search({1, 3, nodes.data(), nullptr, false}, 1, is_exact), (Labels{1}));
  EXPECT_TRUE(is_exact);
}

TEST(Beam, BreaksTiesTowardsTheSmallerLabel) {
  const std::vector<double> zeros(100, 0.0);
  for (const int width : {1, 2, 9}) {
    bool is_exact = true;
    EXPECT_EQ(search({4, 10, zeros.data(), zeros.data(), false}, width, is_exact),
              (Labels{0, 0, 0, 0}));
  }
}

}  // namespace
}  // namespace gapwise::internal
