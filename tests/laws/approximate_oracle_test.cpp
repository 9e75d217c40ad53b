// What every solver of the registry still promises when its oracle is not exact.

#include <gtest/gtest.h>

#include "gapwise/argmax_problem.h"
#include "solve/certificate.h"
#include "solve/training.h"
#include "support/primal.h"
#include "support/problems.h"
#include "support/refusals.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;

testing::ChainSpec chains_with(int beam) {
  return {.sequences = 20, .labels = 6, .max_length = 6, .variant = {.beam = beam}, .seed = 12};
}

std::vector<TrainOptions> every_solver(const Problem& problem) {
  std::vector<TrainOptions> all;
  for (const SolverInfo& solver : solvers()) {
    if (solver.objective != Objective::kL1 || !solver.has_dual) continue;
    if (testing::may_refuse(solver.name, problem)) continue;
    for (const Average average : {Average::kNone, Average::kWeighted}) {
      for (const Index cache : {0, 20}) {
        TrainOptions options;
        options.solver = solver.name;
        options.average = average;
        options.cache = cache;
        options.threads = 1;
        options.lambda = Lambda::of(0.05);
        const bool means_something = (average == Average::kNone || has_option(solver, "average")) &&
                                     (cache == 0 || has_option(solver, "cache"));
        if (means_something) all.push_back(options);
      }
    }
  }
  return all;
}

/// Keeps what a run told while it went.
class Recorder : public Observer {
 public:
  void on_measure(const Progress& now, Weights) override { seen.push_back(now); }
  std::vector<Progress> seen;
};

/// An upper bound of the optimum, and close to it.
double best_primal(const Problem& problem) {
  TrainOptions options;
  options.lambda = Lambda::of(0.05);
  options.relative_gap = 1e-5;
  options.max_passes = 100'000;
  const Report report = train(problem, options);
  EXPECT_EQ(report.reason, StopReason::kConverged);
  return *report.progress.primal;
}

TEST(ApproximateOracle, NeverGetsACertificateAndItsDualIsStillALowerBound) {
  const double optimum = best_primal(*testing::random_chains(chains_with(0)).problem);
  for (const int beam : {1, 4}) {
    const auto problem = testing::random_chains(chains_with(beam)).problem;
    for (TrainOptions options : every_solver(*problem)) {
      options.relative_gap = 1e-3;
      options.max_passes = 300;
      Recorder recorder;
      const Report report = train(*problem, options, recorder);
      EXPECT_NE(report.reason, StopReason::kConverged) << options.solver;
      EXPECT_FALSE(report.progress.is_certified) << options.solver;
      EXPECT_LE(report.progress.dual, optimum) << options.solver;
      EXPECT_GT(report.progress.dual, 0.5 * optimum) << options.solver << " does not train";
      for (const Progress& now : recorder.seen) {
        EXPECT_FALSE(now.is_certified) << options.solver;
        EXPECT_GE(*now.gap(), 0.0) << options.solver;
        EXPECT_LE(now.dual, optimum) << options.solver;
      }
    }
  }
}

TEST(ApproximateOracle, LeavesTheDualMonotoneUnderLineSearch) {
  const auto problem = testing::random_chains(chains_with(1)).problem;
  for (const TrainOptions& options : every_solver(*problem)) {
    SolverBench bench(*problem, options);
    double before = bench.solver->dual();
    for (int k = 0; k < 200; ++k) {
      bench.solver->step();
      ASSERT_GE(bench.solver->dual(), before - 1e-12) << options.solver << ", step " << k;
      before = bench.solver->dual();
      if (k % 50 == 0) bench.solver->gap_pass();
    }
  }
}

/// Estimates of primal and gap are from below.
TEST(ApproximateOracle, NeverFindsMoreThanThereIs) {
  const auto problem = testing::random_chains(chains_with(1)).problem;
  const auto exact = testing::random_chains(chains_with(0)).problem;
  for (const TrainOptions& options : every_solver(*problem)) {
    if (options.solver == "kernel-bcfw") continue;  // whose w has other coordinates
    SolverBench bench(*problem, options);
    for (int k = 0; k < 100; ++k) bench.solver->step();
    const Measurement measured = bench.solver->gap_pass();
    const std::vector<double> w = bench.w();
    const double primal = testing::primal_at(*exact, 0.05, w);
    EXPECT_FALSE(measured.is_certified);
    EXPECT_LE(measured.primal, primal + 1e-12) << options.solver;
  }
}

TEST(ApproximateOracle, IsExactTrainingBitForBitWhenTheBeamHoldsAllLabels) {
  const auto exact = testing::random_chains(chains_with(0)).problem;
  const auto wide = testing::random_chains(chains_with(6)).problem;
  for (TrainOptions options : every_solver(*exact)) {
    options.max_passes = 30;
    const Report one = train(*exact, options);
    const Report other = train(*wide, options);
    EXPECT_TRUE(other.progress.is_certified) << options.solver;
    EXPECT_EQ(one.reason, other.reason) << options.solver;
    // auto weighs the cost of the oracle, which is the same here too
    EXPECT_EQ(one.w, other.w) << options.solver;
    EXPECT_EQ(one.progress.primal, other.progress.primal) << options.solver;
    EXPECT_EQ(one.progress.dual, other.progress.dual) << options.solver;
  }
}

/// A problem of explicit corners whose oracle takes the second best now and then, and says how much
/// it may have missed: `slack` more than it did.
std::unique_ptr<Problem> problem_with_bounds(double slack, bool tells_bounds) {
  constexpr Index kBlocks = 10;
  constexpr Index kDimension = 4;
  constexpr std::size_t kCorners = 5;
  Rng rng(33);
  std::vector<std::vector<testing::ExplicitCorner>> blocks(kBlocks);
  for (auto& block : blocks) {
    block.push_back({std::vector<double>(kDimension, 0.0), 0.0});
    while (block.size() < kCorners) {
      block.push_back({testing::random_weights(kDimension, rng, false), rng.uniform() + 0.2});
    }
  }
  const auto argmax = [blocks, slack, tells_bounds](Index i, Weights w, Corner& out) {
    const auto& block = blocks[static_cast<std::size_t>(i)];
    const std::vector<double> weights(w.begin(), w.end());
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < block.size(); ++k) {
      order.emplace_back(testing::dot(weights, block[k].psi) - block[k].loss, k);
    }
    std::sort(order.begin(), order.end());
    const bool is_lazy = slack > 0.0 && order[1].first - order[0].first < slack;
    const testing::ExplicitCorner& chosen = block[order[is_lazy ? 1 : 0].second];
    for (Index j = 0; j < kDimension; ++j) {
      out.parts.collect(j, chosen.psi[static_cast<std::size_t>(j)]);
    }
    out.loss = chosen.loss;
    out.is_exact = slack == 0.0;
    if (tells_bounds) out.upper_bound = -order[0].first + slack * static_cast<double>(i % 3);
  };
  return make_argmax_problem(kBlocks, kDimension, argmax);
}

TEST(ApproximateOracle, WithUpperBoundsIsCertifiedByAGapThatIsNotTooSmall) {
  const auto exact = problem_with_bounds(0.0, false);
  const double optimum = best_primal(*exact);
  const auto problem = problem_with_bounds(1e-3, true);
  const auto boundless = problem_with_bounds(1e-3, false);
  for (TrainOptions options : every_solver(*problem)) {
    options.relative_gap = 0.1;
    options.max_passes = 5000;
    Recorder recorder;
    const Report report = train(*problem, options, recorder);
    EXPECT_EQ(report.reason, StopReason::kConverged) << options.solver;
    for (const Progress& now : recorder.seen) {
      EXPECT_TRUE(now.is_certified) << options.solver;
      EXPECT_LE(now.dual, optimum) << options.solver;
    }
    const double primal = testing::primal_at(*exact, 0.05, report.w);
    EXPECT_GE(*report.progress.gap(), primal - report.progress.dual - 1e-12) << options.solver;
    EXPECT_GE(*report.progress.gap(), optimum - report.progress.dual - 2e-5 * optimum);

    const Report estimated = train(*boundless, options);
    EXPECT_FALSE(estimated.progress.is_certified) << options.solver;
    EXPECT_EQ(estimated.reason, StopReason::kStalled) << options.solver;
  }
}

/// Two blocks of one output each, with loss 1; the first has the upper bound 5.
std::unique_ptr<Problem> half_bounded() {
  return make_argmax_problem(2, 1, [](Index i, Weights, Corner& out) {
    out.loss = 1.0;
    out.is_exact = false;
    if (i == 0) out.upper_bound = 5.0;
  });
}

/// One block without a bound is enough to make the primal an estimate, and then it is one from
/// below, by the best that the oracle or the solver knows of each block.
TEST(ApproximateOracle, MixedBoundsAreNoCertificate) {
  const auto problem = half_bounded();
  const TrainOptions options;
  OracleTeam team(*problem, 1);
  Rng rng(1);
  const RunContext context{*problem, options, 0.5, team, rng};
  GapPass pass;
  pass.known = [](Index i, const PartScores&) { return i == 0 ? 0.5 : 2.0; };
  std::vector<double> found;
  pass.see = [&](const GapPass::Seen& seen) { found.push_back(seen.found); };
  const std::vector<double> w(1, 2.0);
  const Measurement measured = certify(context, w, 0.25, pass);
  EXPECT_FALSE(measured.is_certified);
  EXPECT_EQ(measured.primal, 1.0 + 1.5);
  EXPECT_EQ(measured.dual, 0.25);
  EXPECT_EQ(found, (std::vector<double>{1.0, 2.0}));
}

TEST(ApproximateOracle, WithoutADualThereIsNoCertificate) {
  const auto problem = testing::golden_g1();
  const TrainOptions options;
  OracleTeam team(*problem, 1);
  Rng rng(1);
  const RunContext context{*problem, options, 0.5, team, rng};
  const std::vector<double> w(1, 0.0);
  EXPECT_TRUE(certify(context, w, 0.0).is_certified);
  EXPECT_FALSE(certify(context, w, kNoDual).is_certified);
}

}  // namespace
}  // namespace gapwise::internal
