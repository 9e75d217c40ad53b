// Remembered corners and the steps between them.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gapwise/train.h"
#include "solve/frank_wolfe/block_dual.h"
#include "solve/frank_wolfe/corner_set.h"
#include "solve/frank_wolfe/gap_tracker.h"
#include "solve/sampler.h"
#include "solve/sum_tree.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;

TEST(SumTree, KeepsItsTotalAndNeverFindsAZeroLeaf) {
  Rng rng(1);
  SumTree tree(37);
  std::vector<double> weights(37, 0.0);
  for (int k = 0; k < 100'000; ++k) {
    const auto i = static_cast<std::size_t>(rng.below(37));
    weights[i] = rng.uniform() < 0.3 ? 0.0 : rng.uniform();
    tree.set(static_cast<Index>(i), weights[i]);
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  EXPECT_NEAR(tree.total(), sum, 1e-12 * sum);
  for (int k = 0; k < 10'000; ++k) {
    const double position = k == 0 ? std::nextafter(tree.total(), 0.0) : rng.uniform() * sum;
    EXPECT_GT(weights[static_cast<std::size_t>(tree.find(position))], 0.0);
  }
  EXPECT_GT(weights[static_cast<std::size_t>(tree.find(tree.total()))], 0.0);
}

TEST(Sampler, DrawsInProportionToTheGapsAfterAPassThatSeesAll) {
  Rng rng(2);
  GapTracker gaps(4, true);
  Sampler sampler(Sampling::kGap, 4, {});
  std::vector<bool> seen(4, false);
  for (int k = 0; k < 4; ++k) {
    const Index i = sampler.next(rng, gaps);
    seen[static_cast<std::size_t>(i)] = true;
    gaps.record(i, static_cast<double>(i));
  }
  EXPECT_EQ(seen, std::vector<bool>(4, true));
  std::vector<double> counts(4, 0.0);
  const double draws = 100'000;
  for (int k = 0; k < static_cast<int>(draws); ++k) {
    counts[static_cast<std::size_t>(sampler.next(rng, gaps))] += 1.0;
  }
  double chi_square = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double expected = draws * (0.95 * static_cast<double>(i) / 6.0 + 0.05 / 4.0);
    chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  EXPECT_LT(chi_square, 16.3);  // 0.1 % level at 3 degrees of freedom
}

/// Golden example G6: one block with four corners, lambda = 0.5.
std::unique_ptr<Problem> golden_g6() {
  return testing::explicit_problem({{{{0, 0}, 0}, {{2, 0}, 1}, {{-1, 1}, 1}, {{0, -1}, 0.5}}});
}

std::vector<double> duals(const std::string& solver, int steps, Index cache = 0) {
  const auto problem = golden_g6();
  TrainOptions options = testing::options_for(solver, 0.5);
  options.cache = cache;
  SolverBench bench(*problem, options);
  std::vector<double> found;
  for (int k = 0; k < steps; ++k) {
    bench.solver->step();
    found.push_back(bench.solver->dual());
  }
  return found;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9) << k;
}

TEST(GoldenG6, FrankWolfeTakesTheKnownSteps) {
  expect_near(duals("bcfw", 6),
              {0.0625, 0.2820121951, 0.3718559770, 0.4545781095, 0.5424295508, 0.5801541866});
}

TEST(GoldenG6, PairwiseStepsAreTheKnownOnes) {
  expect_near(duals("bcpfw", 7),
              {0.0625, 0.34375, 0.484375, 0.77734375, 0.824609375, 0.8248046875, 0.82490234375});
}

/// The known away steps follow rule (A), which compares gaps; ours compares gains, so only the
/// optimum is the same.
TEST(GoldenG6, EverySolverWithCornersReachesTheKnownOptimum) {
  const auto problem = golden_g6();
  for (const std::string solver : {"bcpfw", "bcafw", "mpbcfw", "auto"}) {
    TrainOptions options = testing::options_for(solver, 0.5);
    options.gap = 1e-10;
    options.max_passes = 10'000;
    const Report report = train(*problem, options);
    EXPECT_EQ(report.reason, StopReason::kConverged) << solver;
    EXPECT_NEAR(report.progress.dual, 0.825, 1e-9) << solver;
    EXPECT_NEAR(report.w[0], 0.1, 1e-5) << solver;
    EXPECT_NEAR(report.w[1], 0.3, 1e-5) << solver;
  }
}

/// All corners of G6 in one set, for steps by hand.
struct LocalG6 {
  std::unique_ptr<Problem> problem = golden_g6();
  std::unique_ptr<Oracle> oracle = problem->make_oracle();
  CornerSet corners;
  DualPoint point{1, 2, 0.5};
  BlockDual local{point, 1};

  LocalG6() {
    const double psi[3][2] = {{2, 0}, {-1, 1}, {0, -1}};
    const double loss[3] = {1, 1, 0.5};
    for (int p = 0; p < 3; ++p) {
      Corner corner;
      corner.parts.collect(0, psi[p][0]);
      corner.parts.collect(1, psi[p][1]);
      corner.parts.normalize();
      corner.loss = loss[p];
      EXPECT_EQ(corners.place(corner, 0), p + 1);
      EXPECT_EQ(corners.place(corner, 0), p + 1) << "found again";
    }
  }
  void start() {
    std::vector<double> scores(corners.ids().size());
    oracle->score_some(0, point.w(), corners.ids(), scores);
    local.start(*oracle, 0, corners, scores);
  }
  double dual() const {
    Parts parts;
    double loss = 0.0;
    std::vector<double> alpha;
    for (int p = 0; p < corners.size(); ++p) alpha.push_back(corners.alpha(p));
    corners.combine(alpha, parts, loss);
    double norm = 0.0;
    for (const Part& part : parts) norm += part.value * part.value;
    return loss - norm / (2.0 * 0.5);
  }
  double sum_of_alpha() const {
    double sum = 0.0;
    for (int p = 0; p < corners.size(); ++p) sum += corners.alpha(p);
    return sum;
  }
};

TEST(BlockDual, CorrectiveStepsSolveTheBlock) {
  LocalG6 block;
  block.start();
  const double gained = block.local.corrective_steps(1000, 1e-13);
  EXPECT_NEAR(gained, 0.825, 1e-9);
  EXPECT_NEAR(block.dual(), 0.825, 1e-9);
  const double alpha[] = {0.0, 0.25, 0.45, 0.3};
  for (int p = 0; p < 4; ++p) EXPECT_NEAR(block.corners.alpha(p), alpha[p], 1e-6);
  for (int p = 1; p < 4; ++p) {
    EXPECT_NEAR(block.local.violation(p), block.local.violation(1), 1e-9) << "active, so equal";
  }
}

TEST(BlockDual, EveryStepGainsWhatItSaysAndStaysInTheSimplex) {
  LocalG6 block;
  Rng rng(3);
  for (int k = 0; k < 300; ++k) {
    block.start();
    const int s = static_cast<int>(rng.below(4));
    const double before = block.dual();
    double gained = 0.0;
    switch (rng.below(3)) {
      case 0:
        gained = block.local.frank_wolfe_step(s);
        break;
      case 1:
        gained = block.local.pairwise_step(s, block.local.worst());
        break;
      default:
        gained = block.local.away_step(block.local.worst());
    }
    EXPECT_GE(gained, 0.0);
    EXPECT_NEAR(block.dual() - before, gained, 1e-10);
    EXPECT_NEAR(block.sum_of_alpha(), 1.0, 1e-12);
    for (int p = 0; p < 4; ++p) EXPECT_GE(block.corners.alpha(p), 0.0);
    Parts moved;
    double loss = 0.0;
    if (block.local.has_moved()) block.local.finish(gained, moved, loss);
  }
}

TEST(BlockDual, NoStepLeadsAwayFromTheOnlyCornerWithWeight) {
  LocalG6 block;
  block.corners.set_alpha(0, 0.0);
  block.corners.set_alpha(2, std::nextafter(1.0, 0.0));  // the only one, but for rounding
  block.start();
  EXPECT_EQ(block.local.away_step(2), 0.0);
  EXPECT_GT(block.corners.alpha(2), 0.9);
}

TEST(CornerSet, ShrinkingNeverChangesTheBlock) {
  const auto chains = testing::random_chains({.sequences = 1, .labels = 4, .max_length = 5});
  const auto oracle = chains.problem->make_oracle();
  Rng rng(4);
  CornerSet corners;
  PartScores theta;
  Corner corner;
  for (int k = 0; k < 40; ++k) {
    const auto w = testing::random_weights(chains.layout.dimension(), rng, false);
    oracle->argmax(0, w, theta, corner);
    const int p = corners.place(corner, k);
    corners.product(*oracle, 0, p, p);
    for (int q = 0; q < corners.size(); ++q) corners.set_alpha(q, corners.alpha(q) * 0.9);
    corners.set_alpha(p, corners.alpha(p) + 0.1);
    const auto block = [&] {
      std::vector<double> alpha;
      for (int q = 0; q < corners.size(); ++q) alpha.push_back(corners.alpha(q));
      Parts parts;
      double loss = 0.0;
      corners.combine(alpha, parts, loss);
      std::vector<double> psi(static_cast<std::size_t>(chains.layout.dimension()), 0.0);
      oracle->scatter(0, parts, 1.0, psi);
      psi.push_back(loss);
      return psi;
    };
    const auto before = block();
    corners.forget(0);
    corners.shrink(5);
    EXPECT_LE(corners.size(), 5);
    const auto after = block();
    for (std::size_t j = 0; j < before.size(); ++j) EXPECT_NEAR(before[j], after[j], 1e-12);
    for (int q = 0; q < corners.size(); ++q) {
      for (int r = 0; r < corners.size(); ++r) {
        EXPECT_FALSE(std::isnan(corners.product(*oracle, 0, q, r)));
      }
    }
  }
}

TEST(CornerSet, TellsOutputsOfTheSamePartsButDifferentLossApart) {
  CornerSet corners;
  Corner corner;
  corner.parts.append(3, 1.0);
  corner.loss = 1.0;
  const int light = corners.place(corner, 1);
  corner.loss = 2.0;
  const int heavy = corners.place(corner, 1);
  EXPECT_NE(light, heavy);
  EXPECT_EQ(corners.loss(heavy), 2.0);
  EXPECT_EQ(corners.place(corner, 2), heavy);
  corner.parts.clear();
  EXPECT_NE(corners.place(corner, 2), 0);  // nor is this the truth
}

/// An oracle may find a light output first and one with the same features later.
TEST(CornerSet, SolversReachTheOptimumIfOutputsShareTheirFeatures) {
  Rng rng(4);
  std::vector<testing::ExplicitBlock> blocks;
  for (int i = 0; i < 12; ++i) {
    testing::ExplicitBlock block{{{0.0, 0.0}, 0.0}};
    for (int k = 0; k < 12; ++k) {
      const auto small = [&] { return static_cast<double>(rng.below(3)) - 1.0; };
      block.push_back({{small(), small()}, static_cast<double>(rng.below(4))});
    }
    blocks.push_back(std::move(block));
  }
  const auto problem = testing::explicit_problem(std::move(blocks));
  for (const char* solver : {"auto", "bcpfw", "bcafw", "mpbcfw"}) {
    TrainOptions options;
    options.solver = solver;
    options.lambda = Lambda::of(0.01);
    options.relative_gap = 1e-3;
    options.max_passes = 20'000;
    options.threads = 1;
    EXPECT_EQ(train(*problem, options).reason, StopReason::kConverged) << solver;
  }
}

TEST(CornerSet, SavesAndLoadsItself) {
  LocalG6 block;
  block.start();
  block.local.corrective_steps(3, 0.0);
  StateWriter out;
  block.corners.save(out);
  CornerSet copy;
  StateReader in(out.bytes(), "here", *block.problem);
  copy.load(in, 0, SumOfAlpha::kOne);
  in.expect_end();
  StateWriter again;
  copy.save(again);
  EXPECT_EQ(out.bytes(), again.bytes());
}

/// Calls of the oracle and steps without it, for a cache of the given size.
Progress run_with_cache(const Problem& problem, const std::string& solver, Index cache) {
  TrainOptions options = testing::options_for(solver, 0.05);
  options.cache = cache;
  options.relative_gap = 0.01;
  options.max_passes = 2000;
  const Report report = train(problem, options);
  EXPECT_EQ(report.reason, StopReason::kConverged) << solver;
  return report.progress;
}

TEST(Cache, SavesOracleCallsAndCountsItsStepsApart) {
  const auto problem =
      testing::random_chains({.sequences = 60, .labels = 5, .max_length = 6, .seed = 8}).problem;
  for (const std::string solver : {"bcfw", "bcpfw", "bcafw"}) {
    const Progress without = run_with_cache(*problem, solver, 0);
    const Progress with = run_with_cache(*problem, solver, 50);
    EXPECT_EQ(without.cached_steps, 0) << solver;
    EXPECT_GT(with.cached_steps, 0) << solver;
    EXPECT_LT(with.oracle_calls, without.oracle_calls) << solver;
  }
}

/// Where 20 passes lead, with a cache that demands `fraction` and `share`.
Progress after_cached_passes(const Problem& problem, double fraction, double share) {
  TrainOptions options = testing::options_for("bcpfw", 0.05);
  options.cache = 50;
  options.cache_fraction = fraction;
  options.cache_share = share;
  options.max_passes = 20;
  options.relative_gap = 0.0;
  return train(problem, options).progress;
}

TEST(Cache, DemandsWhatItIsTold) {
  const auto problem =
      testing::random_chains({.sequences = 60, .labels = 5, .max_length = 6, .seed = 8}).problem;
  const Progress usual = after_cached_passes(*problem, 0.25, 0.01);
  TrainOptions plain = testing::options_for("bcpfw", 0.05);
  plain.max_passes = 20;
  plain.relative_gap = 0.0;
  const Progress without = train(*problem, plain).progress;
  // What nothing can meet leaves the run as it is without a cache.
  const Progress strict = after_cached_passes(*problem, 0.0, 1e9);
  EXPECT_EQ(strict.cached_steps, 0);
  EXPECT_EQ(strict.oracle_calls, without.oracle_calls);
  EXPECT_EQ(strict.dual, without.dual);
  EXPECT_GT(after_cached_passes(*problem, 0.0, 0.0).cached_steps, usual.cached_steps);
  EXPECT_LT(after_cached_passes(*problem, 0.9, 0.01).cached_steps, usual.cached_steps);
  EXPECT_LT(after_cached_passes(*problem, 0.25, 1.0).cached_steps, usual.cached_steps);
}

/// Keeps what the first and the last measurement said.
class GapWatcher : public Observer {
 public:
  void on_measure(const Progress& progress, Weights) override {
    if (!first) first = progress;
    last = progress;
  }
  std::optional<Progress> first, last;
};

TEST(GapEstimate, IsComparedWithTheTrueGap) {
  const auto problem =
      testing::random_chains({.sequences = 60, .labels = 5, .max_length = 6, .seed = 8}).problem;
  for (const std::string solver : {"bcfw", "bcpfw", "bcafw"}) {
    TrainOptions options = testing::options_for(solver, 0.05);
    options.max_passes = 40;
    options.gap_every = 10;
    options.relative_gap = 0.0;
    GapWatcher watcher;
    train(*problem, options, watcher);
    const Progress& last = *watcher.last;
    ASSERT_TRUE(last.foreseen_gap && last.gap_unevenness) << solver;
    // Block gaps were seen before the steps that made most of them smaller.
    EXPECT_GT(*last.foreseen_gap, *last.gap()) << solver;
    EXPECT_LT(*last.foreseen_gap, 10.0 * *last.gap()) << solver;
    EXPECT_GE(*last.gap_unevenness, 1.0) << solver;
    EXPECT_LE(*last.gap_unevenness, std::sqrt(60.0)) << solver;
    EXPECT_GT(*last.gap_unevenness, *watcher.first->gap_unevenness) << solver;
  }
  TrainOptions averaged = testing::options_for("bcfw", 0.05);
  averaged.average = Average::kWeighted;
  averaged.max_passes = 10;
  EXPECT_FALSE(train(*problem, averaged).progress.gap_unevenness);
}

TEST(GapEstimate, UnevennessIsAnIdentityOfTheGaps) {
  GapTracker gaps(4);
  for (const Index i : {0, 1, 2}) gaps.record(i, 1.0);
  EXPECT_FALSE(gaps.unevenness());  // one was not seen
  gaps.record(3, 1.0);
  EXPECT_DOUBLE_EQ(*gaps.unevenness(), 1.0);
  for (const Index i : {0, 1, 2}) gaps.record(i, 0.0);
  EXPECT_DOUBLE_EQ(*gaps.unevenness(), 2.0);
  gaps.record(3, 0.0);
  EXPECT_FALSE(gaps.unevenness());
}

}  // namespace
}  // namespace gapwise::internal
