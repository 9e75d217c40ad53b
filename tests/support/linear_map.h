#pragma once

#include <gtest/gtest.h>

#include "support/problems.h"

namespace gapwise::internal::testing {

/// That score, score_some, scatter, squared_norm and inner_product of block i speak of one linear
/// map, on random vectors over its parts.
inline void expect_one_linear_map(Oracle& oracle, Index i, const std::vector<double>& w, Rng& rng) {
  PartScores theta;
  oracle.score(i, w, theta);
  Parts u;
  Parts v;
  std::vector<Index> ids;
  for (Index part = 0; part < std::ssize(theta.values()); ++part) {
    if (rng.uniform() < 0.6) u.append(part, rng.uniform() - 0.5);
    if (rng.uniform() < 0.6) v.append(part, rng.uniform() - 0.5);
    if (rng.uniform() < 0.6) ids.push_back(part);
  }
  std::vector<double> image_u(w.size(), 0.0);
  std::vector<double> image_v(w.size(), 0.0);
  oracle.scatter(i, u, 2.0, image_u);
  oracle.scatter(i, v, 2.0, image_v);
  EXPECT_NEAR(v.dot(theta.values()), dot(w, image_v) / 2.0, 1e-10);
  EXPECT_NEAR(oracle.squared_norm(i, v), dot(image_v, image_v) / 4.0, 1e-10);
  EXPECT_NEAR(oracle.inner_product(i, u, v), dot(image_u, image_v) / 4.0, 1e-10);
  std::vector<double> some(ids.size());
  oracle.score_some(i, w, ids, some);
  for (std::size_t k = 0; k < ids.size(); ++k) EXPECT_NEAR(some[k], theta[ids[k]], 1e-12);
}

/// The same of random blocks at random weights.
inline void expect_one_linear_map(const Problem& problem, int trials) {
  const auto oracle = problem.make_oracle();
  Rng rng(23);
  for (int trial = 0; trial < trials; ++trial) {
    const auto w = random_weights(problem.dimension(), rng, false);
    expect_one_linear_map(*oracle, rng.below(problem.num_blocks()), w, rng);
  }
}

}  // namespace gapwise::internal::testing
