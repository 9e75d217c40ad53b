// Sequential dual ascent over pairs: what sdm and fasole do in a visit, and when they make one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gapwise/solve/train.h"
#include "solve/block_dual.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise {
namespace {

using testing::SolverBench;

/// One chain with some outputs, and the dual of the block written out with dense vectors.
class DenseBlock {
 public:
  explicit DenseBlock(std::uint64_t seed)
      : chains_(
            testing::random_chains({.sequences = 1, .labels = 4, .max_length = 5, .seed = seed})),
        oracle_(chains_.problem->make_oracle()),
        rng_(seed) {
    PartScores theta;
    Corner corner;
    add_truth();
    for (int k = 0; k < 40; ++k) {
      const auto w = testing::random_weights(chains_.layout.dimension(), rng_, false);
      oracle_->argmax(0, w, theta, corner);
      const int before = corners.size();
      if (corners.place(corner, 0) == before) add(corner);
    }
  }

  /// Random weights that add up to 1, some of them 0.
  void scatter_alpha() {
    double sum = 0.0;
    for (int p = 0; p < corners.size(); ++p) {
      corners.set_alpha(p, rng_.uniform() < 0.4 && p > 0 ? 0.0 : rng_.uniform());
      sum += corners.alpha(p);
    }
    for (int p = 0; p < corners.size(); ++p) corners.set_alpha(p, corners.alpha(p) / sum);
  }

  std::vector<double> alpha() const {
    std::vector<double> all;
    for (int p = 0; p < corners.size(); ++p) all.push_back(corners.alpha(p));
    return all;
  }
  std::vector<double> w(const std::vector<double>& alpha) const {
    std::vector<double> sum(psi_[0].size(), 0.0);
    for (std::size_t p = 0; p < alpha.size(); ++p) {
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += alpha[p] * psi_[p][j] / kLambda;
    }
    return sum;
  }
  double dual(const std::vector<double>& alpha) const {
    const std::vector<double> at = w(alpha);
    double value = -0.5 * kLambda * squared_norm(at);
    for (std::size_t p = 0; p < alpha.size(); ++p) value += alpha[p] * loss_[p];
    return value;
  }
  std::vector<double> violations(const std::vector<double>& alpha) const {
    const std::vector<double> at = w(alpha);
    std::vector<double> h = loss_;
    for (std::size_t p = 0; p < h.size(); ++p) {
      for (std::size_t j = 0; j < at.size(); ++j) h[p] -= at[j] * psi_[p][j];
    }
    return h;
  }
  /// The gain of moving `gamma` from a to s.
  double gain(std::vector<double> alpha, std::size_t s, std::size_t a, double gamma) const {
    const double before = dual(alpha);
    alpha[s] += gamma;
    alpha[a] -= gamma;
    return dual(alpha) - before;
  }
  /// The largest such gain, from a parabola through three points.
  double best_gain(const std::vector<double>& alpha, std::size_t s, std::size_t a) const {
    const double half = gain(alpha, s, a, 0.5);
    const double whole = gain(alpha, s, a, 1.0);
    const double slope = 4.0 * half - whole;
    const double curvature = 2.0 * (slope - whole);
    const double free = curvature > 0.0 ? slope / curvature : alpha[a];
    return gain(alpha, s, a, std::clamp(free, 0.0, alpha[a]));
  }

  double step(Partner partner) {
    DualPoint point(1, chains_.layout.dimension(), kLambda);
    BlockDual local(point, 1);
    std::vector<double> scores(corners.ids().size());
    oracle_->score_some(0, w(alpha()), corners.ids(), scores);
    local.start(*oracle_, 0, corners, scores);
    return local.corrective_steps(1, 0.0, partner);
  }

  CornerSet corners;

 private:
  static constexpr double kLambda = 0.7;

  void add_truth() { add(Corner()); }
  void add(const Corner& corner) {
    psi_.emplace_back(static_cast<std::size_t>(chains_.layout.dimension()), 0.0);
    oracle_->scatter(0, corner.parts, 1.0, psi_.back());
    loss_.push_back(corner.loss);
  }

  testing::Chains chains_;
  std::unique_ptr<Oracle> oracle_;
  Rng rng_;
  std::vector<std::vector<double>> psi_;
  std::vector<double> loss_;
};

/// Which corners a step has moved weight between.
struct Pair {
  std::size_t s = 0;
  std::size_t a = 0;
};
Pair moved(const std::vector<double>& before, const std::vector<double>& after) {
  Pair pair;
  for (std::size_t p = 0; p < before.size(); ++p) {
    if (after[p] > before[p]) pair.s = p;
    if (after[p] < before[p]) pair.a = p;
  }
  return pair;
}

TEST(PairwiseSteps, TakeThePairAndTheLengthOfTheirDefinition) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    for (const Partner partner : {Partner::kWorst, Partner::kBest}) {
      DenseBlock block(seed);
      block.scatter_alpha();
      const std::vector<double> before = block.alpha();
      const std::vector<double> h = block.violations(before);
      const double gained = block.step(partner);
      const std::vector<double> after = block.alpha();
      const Pair pair = moved(before, after);
      EXPECT_NEAR(block.dual(after) - block.dual(before), gained, 1e-12);
      EXPECT_NEAR(gained, block.best_gain(before, pair.s, pair.a), 1e-12) << seed;
      EXPECT_NEAR(h[pair.s], *std::max_element(h.begin(), h.end()), 1e-12) << seed;
      for (std::size_t a = 0; a < h.size(); ++a) {
        if (before[a] == 0.0 || a == pair.s) continue;
        if (partner == Partner::kWorst) {
          EXPECT_LE(h[pair.a], h[a] + 1e-12) << seed;
        } else {
          EXPECT_GE(gained, block.best_gain(before, pair.s, a) - 1e-12) << seed;
        }
      }
    }
  }
}

TrainOptions options_for(const std::string& solver) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = {0.3, true};
  options.threads = 1;
  return options;
}

std::unique_ptr<Problem> chains() {
  return testing::random_chains({.sequences = 30, .labels = 4, .max_length = 5, .seed = 11})
      .problem;
}

TEST(Sdm, SweepsAsOftenAsAskedAfterEveryPassWithTheOracle) {
  const auto problem = chains();
  const Index n = problem->num_blocks();
  for (const Index sweeps : {0, 1, 5}) {
    TrainOptions options = options_for("sdm");
    options.sweeps = sweeps;
    SolverBench bench(*problem, options);
    for (Index pass = 1; pass <= 3; ++pass) {
      for (Index k = 1; k <= n * (1 + sweeps); ++k) {
        EXPECT_EQ(bench.solver->step(), k == n * (1 + sweeps));
        EXPECT_EQ(bench.team.calls(), (pass - 1) * n + std::min(k, n));
      }
      EXPECT_EQ(bench.solver->cached_steps() > 0, sweeps > 0);
    }
  }
}

TEST(Fasole, LeavesOutBlocksWithASmallGapUntilTheNextGapPass) {
  const auto problem = chains();
  const Index n = problem->num_blocks();
  SolverBench bench(*problem, options_for("fasole"));
  const auto calls_of_a_pass = [&] {
    const Index before = bench.team.calls();
    while (!bench.solver->step()) {
    }
    return bench.team.calls() - before;
  };
  for (int pass = 0; pass < 6; ++pass) EXPECT_EQ(calls_of_a_pass(), n) << "nothing is known yet";
  bench.solver->measure();
  Index least = n;
  for (int pass = 0; pass < 40; ++pass) {
    const Index calls = calls_of_a_pass();
    EXPECT_LE(calls, n);
    least = std::min(least, calls);
  }
  EXPECT_LT(least, n);
  bench.solver->measure();
  EXPECT_GT(calls_of_a_pass(), least);
}

}  // namespace
}  // namespace gapwise
