// Sequential dual ascent over pairs: what sdm and fasole do in a visit, and when they make one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gapwise/train.h"
#include "solve/frank_wolfe/block_dual.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
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

/// A run of sdm or fasole written out with dense vectors: every output of a block has its alpha,
/// most of them 0, and w is summed anew from all of them wherever it is needed.
class DenseRun {
 public:
  DenseRun(std::vector<testing::ExplicitBlock> blocks, double lambda, Partner partner)
      : blocks_(std::move(blocks)),
        n_(static_cast<double>(blocks_.size())),
        lambda_(lambda),
        partner_(partner),
        known_(blocks_.size(), {{0, 0}}) {
    for (const testing::ExplicitBlock& block : blocks_) {
      alpha_.emplace_back(block.size(), 0.0);
      alpha_.back()[0] = 1.0;
    }
  }

  std::vector<double> w() const {
    std::vector<double> sum(blocks_[0][0].psi.size(), 0.0);
    for_each_alpha([&](const testing::ExplicitCorner& corner, double alpha) {
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += alpha * corner.psi[j] / (lambda_ * n_);
    });
    return sum;
  }
  double dual() const {
    double value = -0.5 * lambda_ * testing::dot(w(), w());
    for_each_alpha([&](const testing::ExplicitCorner& corner, double alpha) {
      value += alpha * corner.loss / n_;
    });
    return value;
  }

  /// The gap of block i, with the output that has it.
  double gap(std::size_t i, std::size_t& s) const {
    const std::vector<double> h = violations(i);
    s = static_cast<std::size_t>(std::max_element(h.begin(), h.end()) - h.begin());
    return (h[s] - testing::dot(alpha_[i], h)) / n_;
  }

  /// Learns the output that the oracle gives now; returns the gap of the block.
  double ask(std::size_t i, int pass) {
    std::erase_if(known_[i], [&](const auto& entry) {
      return alpha_[i][entry.first] == 0.0 && entry.second < pass - 10;
    });
    std::size_t s = 0;
    const double found = gap(i, s);
    known_[i][s] = pass;
    return found;
  }

  /// Up to ten pairs of the outputs known, until none is left with a tenth of the block's gap. A
  /// step to the top of its line leaves two outputs with the same violation, and the definition
  /// does not say which of them comes next: goes any way that leads to `w`. False if none does.
  bool ascends_to(const std::vector<double>& w, std::size_t i, int pass) {
    const std::vector<double> h = violations(i);
    const std::size_t first = best_known(i, h);
    known_[i][first] = pass;
    const double tolerance = 0.1 * (h[first] - testing::dot(alpha_[i], h)) / n_;
    return ascends_to(w, i, tolerance, 10);
  }

 private:
  static constexpr double kTie = 1e-11;

  struct Move {
    double gamma;
    double gain;
  };

  bool ascends_to(const std::vector<double>& w, std::size_t i, double tolerance, int steps_left) {
    const std::vector<double> h = violations(i);
    const double highest = h[best_known(i, h)];
    double lowest = highest;  // of those with weight
    for (std::size_t q = 0; q < h.size(); ++q) {
      if (alpha_[i][q] > 0.0) lowest = std::min(lowest, h[q]);
    }
    if (steps_left == 0 || (highest - lowest) / n_ <= tolerance) return is_at(w);
    for (const auto& [s, last_used] : known_[i]) {
      if (h[s] < highest - kTie) continue;
      for (const std::size_t a : partners(i, s, h)) {
        const std::vector<double> before = alpha_[i];
        const Move move = best_move(i, s, a);
        alpha_[i][s] += move.gamma;
        alpha_[i][a] = move.gamma == before[a] ? 0.0 : before[a] - move.gamma;
        if (ascends_to(w, i, tolerance, steps_left - 1)) return true;
        alpha_[i] = before;
      }
    }
    return false;
  }

  /// What the pair rule lets s take weight from.
  std::vector<std::size_t> partners(std::size_t i, std::size_t s, const std::vector<double>& h) {
    std::map<std::size_t, double> merits;
    for (std::size_t a = 0; a < h.size(); ++a) {
      if (a == s || alpha_[i][a] == 0.0) continue;
      merits[a] = partner_ == Partner::kWorst ? -h[a] : best_move(i, s, a).gain;
    }
    double best = merits.begin()->second;
    for (const auto& [a, merit] : merits) best = std::max(best, merit);
    std::vector<std::size_t> chosen;
    for (const auto& [a, merit] : merits) {
      if (merit >= best - kTie) chosen.push_back(a);
    }
    return chosen;
  }

  bool is_at(const std::vector<double>& expected) const {
    const std::vector<double> here = w();
    for (std::size_t j = 0; j < here.size(); ++j) {
      if (std::abs(here[j] - expected[j]) > 1e-9) return false;
    }
    return true;
  }

  template <class Visit>
  void for_each_alpha(Visit visit) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (std::size_t q = 0; q < blocks_[i].size(); ++q) visit(blocks_[i][q], alpha_[i][q]);
    }
  }
  std::vector<double> violations(std::size_t i) const {
    const std::vector<double> at = w();
    std::vector<double> h;
    for (const testing::ExplicitCorner& corner : blocks_[i]) {
      h.push_back(corner.loss - testing::dot(at, corner.psi));
    }
    return h;
  }
  std::size_t best_known(std::size_t i, const std::vector<double>& h) const {
    std::size_t best = known_[i].begin()->first;
    for (const auto& [q, last_used] : known_[i]) {
      if (h[q] > h[best]) best = q;
    }
    return best;
  }
  /// From a to s as far as the dual rises, and what that gains.
  Move best_move(std::size_t i, std::size_t s, std::size_t a) const {
    const std::vector<double> h = violations(i);
    double norm = 0.0;
    for (std::size_t j = 0; j < blocks_[i][s].psi.size(); ++j) {
      norm += std::pow(blocks_[i][s].psi[j] - blocks_[i][a].psi[j], 2);
    }
    const double slope = (h[s] - h[a]) / n_;
    const double curvature = norm / (lambda_ * n_ * n_);
    const double gamma = std::min(alpha_[i][a], slope / curvature);
    return {gamma, gamma * (slope - 0.5 * gamma * curvature)};
  }

  std::vector<testing::ExplicitBlock> blocks_;
  double n_;
  double lambda_;
  Partner partner_;
  std::vector<std::vector<double>> alpha_;
  std::vector<std::map<std::size_t, int>> known_;  ///< outputs and the pass of their last use
};

constexpr double kRunLambda = 0.3;
std::vector<testing::ExplicitBlock> run_blocks() {
  return testing::random_corners(12, 20, 6, 4);
}

TrainOptions options_for_run(const std::string& solver) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = Lambda::of(kRunLambda);
  options.threads = 1;
  return options;
}

std::vector<Index> in_order(std::size_t n) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

TEST(Sdm, EveryStepIsThatOfARunWrittenOut) {
  const auto blocks = run_blocks();
  const auto problem = testing::explicit_problem(blocks);
  TrainOptions options = options_for_run("sdm");
  options.sweeps = 2;
  SolverBench bench(*problem, options);
  DenseRun run(blocks, kRunLambda, Partner::kWorst);
  Rng rng(options.seed);
  std::vector<Index> order = in_order(blocks.size());
  for (int pass = 0; pass < 14; ++pass) {
    rng.shuffle(std::span(order));
    for (const Index at : order) {
      const auto i = static_cast<std::size_t>(at);
      run.ask(i, pass);
      bench.solver->step();
      ASSERT_TRUE(run.ascends_to(bench.w(), i, pass)) << "pass " << pass << ", block " << i;
      ASSERT_NEAR(bench.solver->dual(), run.dual(), 1e-10);
    }
    for (int sweep = 0; sweep < 2; ++sweep) {
      std::vector<Index> shuffled = in_order(blocks.size());
      rng.shuffle(std::span(shuffled));
      for (auto at = shuffled.rbegin(); at != shuffled.rend(); ++at) {
        const auto i = static_cast<std::size_t>(*at);
        const bool is_last = bench.solver->step();
        ASSERT_EQ(is_last, sweep == 1 && at + 1 == shuffled.rend());
        ASSERT_TRUE(run.ascends_to(bench.w(), i, pass + 1))
            << "pass " << pass << ", sweep " << sweep << ", block " << i;
        ASSERT_NEAR(bench.solver->dual(), run.dual(), 1e-10);
      }
    }
  }
  const Measurement end = bench.solver->gap_pass();
  EXPECT_LT(end.primal - end.dual, 0.01 * end.primal) << "the run has got somewhere";
}

TEST(Fasole, EveryStepIsThatOfARunWrittenOut) {
  const auto blocks = run_blocks();
  const auto problem = testing::explicit_problem(blocks);
  const TrainOptions options = options_for_run("fasole");
  SolverBench bench(*problem, options);
  DenseRun run(blocks, kRunLambda, Partner::kBest);
  Rng rng(options.seed);
  std::vector<Index> order = in_order(blocks.size());
  std::vector<double> gaps(blocks.size(), 0.0);
  double mean_gap = 0.0;  // of the last gap pass
  int left_out = 0;
  for (int pass = 0; pass < 60; ++pass) {
    if (pass % 4 == 3) {
      bench.solver->gap_pass();
      for (std::size_t i = 0; i < blocks.size(); ++i) gaps[i] = run.ask(i, pass);
      mean_gap = std::accumulate(gaps.begin(), gaps.end(), 0.0) / static_cast<double>(gaps.size());
    }
    rng.shuffle(std::span(order));
    for (const Index at : order) {
      const auto i = static_cast<std::size_t>(at);
      const Index calls = bench.team.calls();
      const bool is_asked = pass == 0 || gaps[i] >= 0.1 * mean_gap;
      if (is_asked) gaps[i] = run.ask(i, pass);
      left_out += !is_asked;
      const std::vector<double> before = bench.w();
      bench.solver->step();
      ASSERT_EQ(bench.team.calls() - calls, is_asked ? 1 : 0) << "pass " << pass << ", block " << i;
      ASSERT_TRUE(is_asked ? run.ascends_to(bench.w(), i, pass) : bench.w() == before)
          << "pass " << pass << ", block " << i;
      ASSERT_NEAR(bench.solver->dual(), run.dual(), 1e-10);
    }
  }
  EXPECT_GT(left_out, 0);
  const Measurement end = bench.solver->gap_pass();
  EXPECT_LT(end.primal - end.dual, 0.01 * end.primal) << "the run has got somewhere";
}

std::unique_ptr<Problem> chains() {
  return testing::random_chains({.sequences = 30, .labels = 4, .max_length = 5, .seed = 11})
      .problem;
}

TEST(Sdm, SweepsAsOftenAsAskedAfterEveryPassWithTheOracle) {
  const auto problem = chains();
  const Index n = problem->num_blocks();
  for (const Index sweeps : {0, 1, 5}) {
    TrainOptions options = testing::options_for("sdm", Lambda::over_n(0.3));
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
  SolverBench bench(*problem, testing::options_for("fasole", Lambda::over_n(0.3)));
  const auto calls_of_a_pass = [&] {
    const Index before = bench.team.calls();
    while (!bench.solver->step()) {
    }
    return bench.team.calls() - before;
  };
  for (int pass = 0; pass < 6; ++pass) EXPECT_EQ(calls_of_a_pass(), n) << "nothing is known yet";
  bench.solver->gap_pass();
  Index least = n;
  for (int pass = 0; pass < 40; ++pass) {
    const Index calls = calls_of_a_pass();
    EXPECT_LE(calls, n);
    least = std::min(least, calls);
  }
  EXPECT_LT(least, n);
  bench.solver->gap_pass();
  EXPECT_GT(calls_of_a_pass(), least);
}

}  // namespace
}  // namespace gapwise::internal
