// What every solver promises when some weights must not be negative.

#include <gtest/gtest.h>

#include <cmath>

#include "solve/training.h"
#include "support/primal.h"
#include "support/problems.h"
#include "support/refusals.h"
#include "support/solver_bench.h"
#include "support/stop_after_steps.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;
using testing::StopAfterSteps;

/// Every solver that can and has a dual, with its caches, steps and averages.
std::vector<TrainOptions> variants(const std::string& nonnegative) {
  std::vector<TrainOptions> all;
  for (const SolverInfo& solver : solvers()) {
    if (!has_option(solver, "nonnegative") || !solver.has_dual) continue;
    if (testing::is_factorwise(solver.name)) continue;  // tests/solve/factorwise_test.cpp
    for (const Average average : {Average::kNone, Average::kWeighted}) {
      if (average != Average::kNone && !has_option(solver, "average")) continue;
      for (const Index cache : {0, 20}) {
        if (cache > 0 && !has_option(solver, "cache")) continue;
        TrainOptions options;
        options.solver = solver.name;
        options.nonnegative = nonnegative;
        options.average = average;
        options.cache = cache;
        options.lambda = Lambda::over_n(0.5);
        all.push_back(options);
      }
    }
  }
  TrainOptions fixed;
  fixed.solver = "bcfw";
  fixed.nonnegative = nonnegative;
  fixed.step = Step::kFixed;
  fixed.lambda = Lambda::over_n(0.5);
  all.push_back(fixed);
  TrainOptions several;
  several.solver = "bcpfw";
  several.nonnegative = nonnegative;
  several.inner_steps = 6;
  several.lambda = Lambda::over_n(0.5);
  all.push_back(several);
  return all;
}

Objective objective_of(const TrainOptions& options) {
  return solver_info(options.solver).objective;
}

std::string name_of(const TrainOptions& options) {
  return options.solver + (options.cache > 0 ? " with cache" : "") +
         (options.average == Average::kNone ? "" : ", averaged") +
         (options.step == Step::kFixed ? ", fixed" : "") +
         (options.inner_steps > 1 ? ", several steps" : "");
}

void expect_nonnegative(const Problem& problem, const std::string& name,
                        const std::vector<double>& w, const std::string& message) {
  for (const WeightGroup& group : problem.weight_groups()) {
    if (group.name != name) continue;
    for (Index j = group.begin; j < group.end; ++j) {
      ASSERT_FALSE(std::signbit(w[static_cast<std::size_t>(j)])) << message << ", weight " << j;
    }
  }
}

struct Case {
  std::unique_ptr<Problem> problem;
  std::string nonnegative;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back(
      {testing::random_chains({.sequences = 12, .labels = 4, .seed = 3}).problem, "transitions"});
  all.push_back({testing::random_chains({.edge_attributes = 2, .seed = 4}).problem, "all"});
  all.push_back({testing::random_classes({.seed = 6}).problem, "all"});
  return all;
}

TEST(NonnegativeLaws, DualNeverFallsAndCertificatesHold) {
  for (const auto& [problem, nonnegative] : cases()) {
    for (const TrainOptions& options : variants(nonnegative)) {
      SolverBench bench(*problem, options);
      const double lambda = options.lambda.resolve(problem->num_blocks());
      double least_primal = 1e300;
      double before = bench.solver->dual();
      for (int k = 0; k < 200; ++k) {
        bench.solver->step();
        const double after = bench.solver->dual();
        if (options.step == Step::kLineSearch) {
          ASSERT_GE(after, before - 1e-10 * std::max(1.0, std::abs(before)))
              << name_of(options) << ", step " << k << ", by " << before - after;
        }
        if (k % 10 == 0) {
          const Measurement measured = bench.solver->gap_pass();
          EXPECT_TRUE(measured.is_certified);
          // The gains of the steps add up to the dual computed anew.
          EXPECT_NEAR(bench.solver->dual(), after, 1e-10) << name_of(options);
          EXPECT_GE(measured.primal, measured.dual - 1e-12) << name_of(options);
          EXPECT_NEAR(measured.primal,
                      testing::primal_at(*problem, lambda, bench.w(), objective_of(options)), 1e-12)
              << name_of(options);
          least_primal = std::min(least_primal, measured.primal);
          expect_nonnegative(*problem, nonnegative, bench.w(), name_of(options));
        }
        before = bench.solver->dual();
        ASSERT_LE(before, least_primal + 1e-12) << name_of(options);
      }
    }
  }
}

TEST(NonnegativeLaws, BlockGapsSumToPrimalMinusDual) {
  for (const auto& [problem, nonnegative] : cases()) {
    for (const TrainOptions& options : variants(nonnegative)) {
      if (options.average != Average::kNone) continue;
      SolverBench bench(*problem, options);
      for (int k = 0; k < 60; ++k) {
        bench.solver->step();
        const Measurement measured = bench.solver->gap_pass();
        if (std::isinf(bench.solver->estimated_gap())) break;  // a method without block gaps
        EXPECT_NEAR(bench.solver->estimated_gap(), measured.primal - measured.dual, 1e-10)
            << name_of(options);
      }
    }
  }
}

/// Projected subgradient descent, weighted average of the iterates: slow, and independent of all
/// that is tested here but the oracle.
double reference_optimum(const Problem& problem, double lambda, const std::string& nonnegative,
                         Objective objective) {
  const auto oracle = problem.make_oracle();
  const auto n = static_cast<double>(problem.num_blocks());
  std::vector<double> w(static_cast<std::size_t>(problem.dimension()), 0.0);
  std::vector<double> average(w);
  std::vector<double> gradient(w);
  PartScores theta;
  Corner corner;
  for (int k = 1; k <= 60'000; ++k) {
    for (std::size_t j = 0; j < w.size(); ++j) gradient[j] = lambda * w[j];
    for (Index i = 0; i < problem.num_blocks(); ++i) {
      oracle->argmax(i, w, theta, corner);
      const double h = violation(corner.loss, corner.parts, theta);
      oracle->scatter(i, corner.parts, -(objective == Objective::kL2 ? 2.0 * h : 1.0) / n,
                      gradient);
    }
    // The gradient of the squared hinge grows with w, which long first steps would make explode.
    const double delay = objective == Objective::kL2 ? 200.0 / lambda : 0.0;
    const double step = 2.0 / (lambda * (k + 1.0 + delay));
    for (std::size_t j = 0; j < w.size(); ++j) w[j] -= step * gradient[j];
    for (const WeightGroup& group : problem.weight_groups()) {
      if (group.name != nonnegative) continue;
      for (auto j = static_cast<std::size_t>(group.begin); j < static_cast<std::size_t>(group.end);
           ++j) {
        w[j] = std::max(0.0, w[j]);
      }
    }
    for (std::size_t j = 0; j < w.size(); ++j) average[j] += 2.0 / (k + 1.0) * (w[j] - average[j]);
  }
  return testing::primal_at(problem, lambda, average, objective);
}

TEST(NonnegativeLaws, EverySolverFindsTheOptimumOfAnIndependentMethod) {
  for (const auto& [problem, nonnegative] : cases()) {
    for (const Objective objective : {Objective::kL1, Objective::kL2}) {
      TrainOptions any;
      any.solver = objective == Objective::kL1 ? "auto" : "dcd";
      any.lambda = Lambda::over_n(0.5);
      const double lambda = any.lambda.resolve(problem->num_blocks());
      const double reference = reference_optimum(*problem, lambda, nonnegative, objective);
      double lower = -1e300;
      double upper = 1e300;
      for (TrainOptions options : variants(nonnegative)) {
        if (objective_of(options) != objective) continue;
        const bool is_slow = options.step == Step::kFixed || options.solver == "fw";
        options.relative_gap = is_slow ? 5e-2 : 3e-3;
        options.max_passes = 400'000;
        const Report report = train(*problem, options);
        EXPECT_EQ(report.reason, StopReason::kConverged) << name_of(options);
        expect_nonnegative(*problem, nonnegative, report.w, name_of(options));
        lower = std::max(lower, report.progress.dual);
        upper = std::min(upper, *report.progress.primal);
        EXPECT_LE(lower, upper + 1e-12) << name_of(options);
      }
      EXPECT_GE(reference, lower - 1e-12);
      EXPECT_LE(reference, upper * 1.002);
      EXPECT_GT(lower, *train(*problem, any).progress.primal) << "the constraint does not bind";
    }
  }
}

TEST(NonnegativeLaws, MethodsWithoutADualKeepTheWeightsToo) {
  for (const auto& [problem, nonnegative] : cases()) {
    TrainOptions certified;
    certified.nonnegative = nonnegative;
    certified.lambda = Lambda::over_n(0.5);
    const double optimum = *train(*problem, certified).progress.primal;
    for (const SolverInfo& solver : solvers()) {
      if (!has_option(solver, "nonnegative") || solver.has_dual) continue;
      TrainOptions options = certified;
      options.solver = solver.name;
      if (has_option(solver, "average")) options.average = Average::kWeighted;
      options.max_passes = 2000;
      const Report report = train(*problem, options);
      expect_nonnegative(*problem, nonnegative, report.w, options.solver);
      const bool minimises = solver.name == "ssg";  // the others need not come close
      EXPECT_LE(*report.progress.primal, minimises ? 1.02 * optimum : 1e300);
    }
  }
}

TEST(NonnegativeLaws, PairwiseSolversReachSmallGaps) {
  for (const auto& [problem, nonnegative] : cases()) {
    for (const char* solver : {"auto", "bcpfw", "mpbcfw", "sdm", "fasole", "cutting-plane",
                               "one-slack", "bmrm", "dcd-light", "dcd", "cpd"}) {
      TrainOptions options;
      options.solver = solver;
      options.nonnegative = nonnegative;
      options.lambda = Lambda::over_n(0.5);
      options.relative_gap = 1e-6;
      options.max_passes = 200'000;
      EXPECT_EQ(train(*problem, options).reason, StopReason::kConverged) << solver;
    }
  }
}

TEST(NonnegativeLaws, ResumedRunsGoOnBitForBitOnAnyNumberOfThreads) {
  for (const auto& [problem, nonnegative] : cases()) {
    for (TrainOptions options : variants(nonnegative)) {
      options.relative_gap = 1e-6;
      options.max_passes = 23;
      options.gap_every = 4;
      options.threads = 1;
      const Report whole = train(*problem, options);
      options.threads = 3;
      for (const int steps : {0, 1, 5, 17}) {
        StopAfterSteps stopper(steps);
        train(*problem, options, stopper);
        Training rest(*problem, options);
        rest.restore(stopper.saved, "checkpoint");
        Observer nobody;
        const Report resumed = rest.run(nobody);
        EXPECT_EQ(resumed.w, whole.w) << name_of(options) << " after " << steps;
        EXPECT_EQ(resumed.progress.primal, whole.progress.primal) << name_of(options);
        EXPECT_EQ(resumed.progress.dual, whole.progress.dual) << name_of(options);
      }
    }
  }
}

TEST(NonnegativeLaws, CheckpointsOfAnotherConstraintAreRefused) {
  const auto problem = testing::random_chains({.seed = 3}).problem;
  TrainOptions options;
  options.nonnegative = "transitions";
  StopAfterSteps stopper(5);
  train(*problem, options, stopper);
  for (const char* other : {"", "start"}) {
    options.nonnegative = other;
    Training training(*problem, options);
    EXPECT_THROW(training.restore(stopper.saved, "checkpoint"), InputError) << other;
  }
}

}  // namespace
}  // namespace gapwise::internal
