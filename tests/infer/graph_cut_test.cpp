#include "infer/graph_cut.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.h"
#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

struct CutCase {
  std::vector<NodePair> edges;
  std::vector<double> scores;
  std::vector<double> penalties;
};

double value_of(const CutCase& c, unsigned ones) {
  double value = 0.0;
  for (std::size_t v = 0; v < c.scores.size(); ++v)
    value += (ones >> v & 1U) != 0 ? c.scores[v] : 0;
  for (std::size_t e = 0; e < c.edges.size(); ++e) {
    const bool is_cut = (ones >> c.edges[e].first & 1U) != (ones >> c.edges[e].second & 1U);
    value -= is_cut ? c.penalties[e] : 0.0;
  }
  return value;
}

/// Best value over all labellings, and the labels that are 1 in every one that attains it.
std::pair<double, unsigned> enumerate(const CutCase& c) {
  double best = -std::numeric_limits<double>::infinity();
  unsigned common = 0;
  for (unsigned ones = 0; ones < 1U << c.scores.size(); ++ones) {
    const double value = value_of(c, ones);
    if (value > best + 1e-10) {
      best = value;
      common = ones;
    } else if (value > best - 1e-10) {
      common &= ones;
    }
  }
  return {best, common};
}

void expect_equals_enumeration(const CutCase& c) {
  const CutGraph graph(std::ssize(c.scores), c.edges);
  MaxFlow flow;
  std::vector<std::uint8_t> labels(c.scores.size());
  const BestCut cut = best_cut(graph, c.scores, c.penalties, flow, labels);
  const auto [best, common] = enumerate(c);
  unsigned found = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) found |= unsigned{labels[v]} << v;
  ASSERT_NEAR(cut.score, best, 1e-9);
  ASSERT_NEAR(cut.bound, cut.score, 1e-9);
  ASSERT_EQ(found, common);
}

/// Every graph of `nodes` nodes, with scores and penalties out of a few small numbers.
TEST(GraphCut, EqualsEnumerationOnEveryTinyGraph) {
  const std::vector<NodePair> all{{0, 1}, {1, 2}, {0, 2}};
  const std::vector<double> scores{-1.0, 0.0, 1.0, 2.0};
  for (unsigned chosen = 0; chosen < 8; ++chosen) {
    CutCase c;
    for (unsigned e = 0; e < 3; ++e) {
      if ((chosen >> e & 1U) != 0) c.edges.push_back(all[e]);
    }
    c.scores.resize(3);
    c.penalties.resize(c.edges.size());
    const auto num_penalties = static_cast<unsigned>(std::pow(3, c.edges.size()));
    for (unsigned s = 0; s < 64; ++s) {
      for (unsigned v = 0; v < 3; ++v) c.scores[v] = scores[s >> 2 * v & 3U];
      for (unsigned p = 0; p < num_penalties; ++p) {
        for (unsigned e = 0, rest = p; e < c.edges.size(); ++e, rest /= 3)
          c.penalties[e] = rest % 3;
        expect_equals_enumeration(c);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(GraphCut, EqualsEnumerationOnRandomGraphsWithAndWithoutTies) {
  Rng rng(3);
  for (int trial = 0; trial < 600; ++trial) {
    CutCase c;
    const Index nodes = 1 + rng.below(9);
    const bool has_ties = trial % 2 == 0;
    const double unit = trial % 4 == 0 ? 1.0 / 3.0 : 1.0;  // ties up to rounding
    const auto number = [&](Index low, Index high) {
      const auto whole = static_cast<double>(low + rng.below(high - low + 1));
      return unit * (has_ties ? whole : whole + rng.uniform());
    };
    for (Index v = 0; v < nodes; ++v) c.scores.push_back(number(-3, 3));
    for (Index e = nodes > 1 ? rng.below(2 * nodes) : 0; e > 0; --e) {
      const Index u = rng.below(nodes);
      const Index v = (u + 1 + rng.below(nodes - 1)) % nodes;
      c.edges.emplace_back(static_cast<std::int32_t>(u), static_cast<std::int32_t>(v));
      c.penalties.push_back(number(0, 2));
    }
    expect_equals_enumeration(c);
    if (HasFatalFailure()) return;
  }
}

/// ALGORITHMS G7: a path of three nodes.
TEST(GraphCut, SolvesTheGoldenPath) {
  const std::vector<double> u{0.7, -0.4, 0.2};
  const std::vector<double> gold{1, 1, 0};
  const CutGraph graph(3, std::vector<NodePair>{{0, 1}, {1, 2}});
  std::vector<double> scores(3);
  double constant = 0.0;  // of all labels 0
  for (std::size_t v = 0; v < 3; ++v) {
    const double loss = (1.0 - 2.0 * gold[v]) / 3.0;
    scores[v] = 2.0 * u[v] + loss;
    constant += gold[v] / 3.0 - u[v];
  }
  MaxFlow flow;
  std::vector<std::uint8_t> labels(3);
  const BestCut cut = best_cut(graph, scores, std::vector<double>{0.3, 0.3}, flow, labels);
  EXPECT_EQ(labels, (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_NEAR(cut.score + constant, 1.3666666667, 1e-10);
}

TEST(GraphCut, FlowEqualsTheEnergyOfTheCutOnLargeGridsAndScratchIsReused) {
  Rng rng(11);
  MaxFlow flow;
  for (const std::int32_t width : {40, 1, 25}) {
    const std::int32_t height = 30;
    std::vector<NodePair> edges;
    for (std::int32_t v = 0; v < width * height; ++v) {
      if (v % width + 1 < width) edges.emplace_back(v, v + 1);
      if (v + width < width * height) edges.emplace_back(v, v + width);
    }
    const CutGraph graph(width * height, edges);
    std::vector<double> scores(static_cast<std::size_t>(width * height));
    std::vector<double> penalties(edges.size());
    std::vector<std::uint8_t> labels(scores.size());
    for (int trial = 0; trial < 5; ++trial) {
      for (double& s : scores) s = rng.uniform() - 0.45;
      for (double& p : penalties) p = rng.uniform() * 0.3;
      const BestCut cut = best_cut(graph, scores, penalties, flow, labels);
      EXPECT_NEAR(cut.score, cut.bound, 1e-9);
      EXPECT_GT(cut.score, 0.0);
    }
  }
}

TEST(GraphCut, RefusesNegativePenaltiesAndNumbersThatAreNotFinite) {
  const CutGraph graph(2, std::vector<NodePair>{{0, 1}});
  MaxFlow flow;
  std::vector<std::uint8_t> labels(2);
  const auto cut = [&](std::vector<double> scores, std::vector<double> penalties) {
    best_cut(graph, scores, penalties, flow, labels);
  };
  EXPECT_THROW(cut({0, 0}, {-1e-300}), OracleError);
  EXPECT_THROW(cut({0, 0}, {std::nan("")}), OracleError);
  EXPECT_THROW(cut({0, std::numeric_limits<double>::infinity()}, {1}), OracleError);
  EXPECT_NO_THROW(cut({0, 1}, {-0.0}));
}

}  // namespace
}  // namespace gapwise::internal
