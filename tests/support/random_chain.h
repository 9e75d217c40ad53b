#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/random.h"
#include "infer/viterbi.h"

namespace gapwise::internal::testing {

/// Random scores of a chain, if `integers` with many ties.
struct RandomChain {
  std::vector<double> nodes;
  std::vector<double> pairs;
  std::vector<double> triples;
  ChainScores scores;

  /// Positions and labels.
  std::pair<int, int> size() const { return {scores.length, scores.labels}; }

  RandomChain(int length, int labels, bool per_position, bool integers, Rng& rng, int order = 1) {
    const auto k = static_cast<std::size_t>(labels);
    const auto steps = static_cast<std::size_t>(per_position ? length - 1 : 1);
    const auto draw = [&] {
      const double x = rng.uniform() * 6.0 - 3.0;
      return integers ? std::round(x) : x;
    };
    nodes.resize(static_cast<std::size_t>(length) * k);
    pairs.resize(steps * k * k);
    for (double& x : nodes) x = draw();
    for (double& x : pairs) x = draw();
    scores = {length, labels, nodes.data(), pairs.data(), per_position};
    if (order == 1) return;
    triples.resize(k * k * k);
    for (double& x : triples) x = draw();
    scores.triples = triples.data();
  }

  /// Forbids labels and steps at random, each with this chance.
  void forbid(double chance, Rng& rng) {
    for (auto* values : {&nodes, &pairs, &triples}) {
      for (double& x : *values) {
        if (rng.uniform() < chance) x = -std::numeric_limits<double>::infinity();
      }
    }
  }
};

/// One of `least` positions and labels or a few more, by turns with pairs per position and with
/// ties.
inline RandomChain random_chain(int trial, int least, int lengths, int labels, Rng& rng,
                                int order = 1) {
  const int length = least + static_cast<int>(rng.below(lengths));
  const int count = least + static_cast<int>(rng.below(labels));
  return {length, count, trial % 3 == 0, trial % 2 == 0, rng, order};
}

/// Calls `check` with so many of them, of up to five positions and four labels.
template <class Check>
void for_random_chains(int trials, std::uint64_t seed, Check check) {
  Rng rng(seed);
  for (int trial = 0; trial < trials && !::testing::Test::HasFatalFailure(); ++trial) {
    check(random_chain(trial, 1, 5, 4, rng), rng);
  }
}

/// The score of labelling y, term by term.
inline double score_of(const ChainScores& s, const std::vector<std::int32_t>& y) {
  double sum = 0.0;
  for (int t = 0; t < s.length; ++t) {
    const auto at = static_cast<std::size_t>(t);
    sum += s.nodes[t * s.labels + y[at]];
    if (t > 0) {
      const int step = s.pairs_per_position ? t - 1 : 0;
      sum += s.pairs[(step * s.labels + y[at - 1]) * s.labels + y[at]];
    }
    if (t > 1 && s.triples != nullptr) {
      sum += s.triples[(y[at - 2] * s.labels + y[at - 1]) * s.labels + y[at]];
    }
  }
  return sum;
}

}  // namespace gapwise::internal::testing
