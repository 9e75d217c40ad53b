#pragma once

#include <cmath>
#include <vector>

#include "core/random.h"
#include "infer/viterbi.h"

namespace gapwise::internal::testing {

/// Random scores of a chain, if `integers` with many ties.
struct RandomChain {
  std::vector<double> nodes;
  std::vector<double> pairs;
  ChainScores scores;

  RandomChain(int length, int labels, bool per_position, bool integers, Rng& rng) {
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
  }
};

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
  }
  return sum;
}

}  // namespace gapwise::internal::testing
