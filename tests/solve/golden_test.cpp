// The golden examples: every number was derived by hand or by an independent program.

#include <gtest/gtest.h>

#include "solve/training.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;

TrainOptions options_with(double lambda, const std::string& solver) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = Lambda::of(lambda);
  options.threads = 1;
  options.gap = 0.0;
  return options;
}

TrainOptions cyclic(double lambda) {
  TrainOptions options = options_with(lambda, "bcfw");
  options.sampling = Sampling::kCyclic;
  return options;
}

TEST(GoldenG1, BcfwTakesTheKnownSteps) {
  const auto problem = testing::golden_g1();
  SolverBench bench(*problem, cyclic(0.25));
  const double w[] = {0.5, -1.0, 0.5, 0.0, 0.5};
  const double dual[] = {0.03125, 0.3125, 0.59375, 0.75, 0.78125};
  const double primal[] = {0.78125, 1.625, 0.78125, 1.0, 0.78125};
  for (int k = 0; k < 5; ++k) {
    bench.solver->step();
    EXPECT_NEAR(bench.w()[0], w[k], 1e-12) << k;
    EXPECT_NEAR(bench.solver->dual(), dual[k], 1e-12) << k;
    const Measurement measured = bench.solver->gap_pass();
    EXPECT_NEAR(measured.primal, primal[k], 1e-12) << k;
    EXPECT_NEAR(measured.dual, dual[k], 1e-12) << k;
    EXPECT_TRUE(measured.is_certified);
  }
}

TEST(GoldenG1, WeightedAverageHasTheKnownCertificate) {
  const auto problem = testing::golden_g1();
  TrainOptions options = cyclic(0.25);
  options.average = Average::kWeighted;
  SolverBench bench(*problem, options);
  const double w[] = {0.5, -0.5, 0.0, 0.0, 0.1666666667, 0.2619047619};
  for (const double expected : w) {
    bench.solver->step();
    EXPECT_NEAR(bench.w()[0], expected, 1e-9);
  }
  const Measurement measured = bench.solver->gap_pass();
  EXPECT_NEAR(measured.primal, 0.8776218821, 1e-9);
  EXPECT_NEAR(measured.dual, 0.6938066893, 1e-9);
  EXPECT_NEAR(measured.primal - measured.dual, 0.1838151927, 1e-9);
}

TEST(GoldenG1, BatchFrankWolfeTakesTheKnownSteps) {
  const auto problem = testing::golden_g1();
  SolverBench bench(*problem, options_with(0.25, "fw"));
  const double gap_before[] = {1.0, 1.5, 0.0};
  const double w[] = {2.0, 0.5, 0.5};
  const double dual[] = {0.5, 0.78125, 0.78125};
  for (int k = 0; k < 3; ++k) {
    const Measurement measured = bench.solver->gap_pass();
    EXPECT_NEAR(measured.primal - measured.dual, gap_before[k], 1e-12) << k;
    bench.solver->step();
    EXPECT_NEAR(bench.w()[0], w[k], 1e-12) << k;
    EXPECT_NEAR(bench.solver->dual(), dual[k], 1e-12) << k;
  }
}

/// G2: two chains of length 2 with 3 labels; the golden layout has one row per label, no start and
/// end weights and 15 dimensions.
std::unique_ptr<Problem> golden_g2() {
  struct Example {
    double x[2][2];
    int truth[2];
  };
  const Example examples[] = {{{{1, 0}, {0, 1}}, {0, 1}}, {{{1, 1}, {1, -1}}, {2, 0}}};
  const auto phi = [](const Example& e, int a, int b) {
    std::vector<double> out(15, 0.0);
    for (std::size_t f = 0; f < 2; ++f) {
      out[static_cast<std::size_t>(2 * a) + f] += e.x[0][f];
      out[static_cast<std::size_t>(2 * b) + f] += e.x[1][f];
    }
    out[static_cast<std::size_t>(6 + 3 * a + b)] += 1.0;
    return out;
  };
  std::vector<testing::ExplicitBlock> blocks;
  for (const Example& e : examples) {
    testing::ExplicitBlock block{{std::vector<double>(15, 0.0), 0.0}};
    const auto truth = phi(e, e.truth[0], e.truth[1]);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        auto psi = phi(e, a, b);
        for (std::size_t j = 0; j < psi.size(); ++j) psi[j] = truth[j] - psi[j];
        block.push_back({psi, 0.5 * ((a != e.truth[0]) + (b != e.truth[1]))});
      }
    }
    blocks.push_back(block);
  }
  return testing::explicit_problem(blocks);
}

/// Some solvers need inputs or averages, and explicit corners have neither.
bool can_train(const Problem& problem, const TrainOptions& options) {
  try {
    Training(problem, options);
    return true;
  } catch (const OptionError&) {
    return false;
  }
}

TEST(GoldenG2, EverySolverReachesTheKnownOptimum) {
  const auto problem = golden_g2();
  const std::pair<double, double> cases[] = {
      {5.0, 0.765}, {0.1, 0.0291932319765}, {1.0, 0.291932319765}};
  for (const auto& [lambda, optimum] : cases) {
    for (const SolverInfo& solver : solvers()) {
      if (solver.objective != Objective::kL1 || !solver.has_dual) continue;
      TrainOptions options = options_with(lambda, std::string(solver.name));
      if (!can_train(*problem, options)) continue;
      options.gap = solver.name == "fw" ? 1e-3 : 1e-5;  // the batch method needs O(1 / gap) passes
      options.max_passes = 2'000'000;
      const Report report = train(*problem, options);
      EXPECT_EQ(report.reason, StopReason::kConverged) << solver.name << " at " << lambda;
      EXPECT_LE(report.progress.dual, optimum + 1e-9);
      EXPECT_GE(*report.progress.primal, optimum - 1e-9);
      EXPECT_NEAR(*report.progress.primal, optimum, 2.0 * *options.gap);
    }
  }
}

TEST(GoldenG2, WeightsApproachTheKnownOnes) {
  const auto problem = golden_g2();
  TrainOptions options = options_with(5.0, "bcfw");
  options.gap = 1e-5;
  options.max_passes = 1'000'000;
  const Report report = train(*problem, options);
  const double w[] = {0.14,  -0.16, -0.09, 0.10,  -0.05, 0.06, 0.0,  0.06,
                      -0.02, 0.0,   0.0,   -0.05, 0.10,  0.0,  -0.09};
  const double radius = std::sqrt(2.0 * *report.progress.gap() / 5.0);
  for (std::size_t j = 0; j < 15; ++j) EXPECT_NEAR(report.w[j], w[j], radius + 1e-9);
}

}  // namespace
}  // namespace gapwise::internal
