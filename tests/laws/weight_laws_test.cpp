// Weights of blocks: what every solver and every task makes of them.

#include <gtest/gtest.h>

#include <cmath>

#include "core/subset_problem.h"
#include "core/weighted_problem.h"
#include "gapwise/check_oracle.h"
#include "gapwise/errors.h"
#include "solve/training.h"
#include "support/graph_problem.h"
#include "support/problems.h"
#include "support/refusals.h"
#include "support/stop_after_steps.h"
#include "support/task_sample.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

std::vector<double> some_weights(Index n, std::uint64_t seed = 5) {
  Rng rng(seed);
  std::vector<double> weights;
  for (Index i = 0; i < n; ++i) weights.push_back(i % 4 == 0 ? 1.0 : 0.1 + 3.0 * rng.uniform());
  return weights;
}

/// What a solver reaches in reasonable time.
double tolerance_of(const SolverInfo& solver) {
  for (const std::string_view slow :
       {"fw", "bcfw", "kernel-bcfw", "soft-bcfw", "eg", "excessive-gap", "extragradient"}) {
    if (solver.name == slow) return 2e-2;
  }
  if (solver.name == "dlpw" || solver.name == "smooth-dlpw") return 0.1;
  return testing::is_factorwise(solver.name) ? 1e-3 : 1e-6;
}

TrainOptions options_for(const SolverInfo& solver, double lambda) {
  TrainOptions options;
  options.solver = solver.name;
  options.lambda = Lambda::of(lambda);
  options.threads = 1;
  options.relative_gap = tolerance_of(solver);
  options.max_passes = 400'000;
  return options;
}

/// Calls visit(solver) for all that have a certificate for this problem.
template <class Visit>
void for_each_certified(const Problem& problem, Visit visit) {
  for (const SolverInfo& solver : solvers()) {
    if (solver.has_dual && !testing::may_refuse(solver.name, problem)) visit(solver);
  }
}

/// The minimum of a convex function of one number within [low, high].
template <class F>
double minimum(F f, double low, double high) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
  for (int k = 0; k < 100; ++k) {
    const double a = high - ratio * (high - low);
    const double b = low + ratio * (high - low);
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return f(0.5 * (low + high));
}

/// lambda/2 |w|^2 + 1/n sum_i c_i H_i, written out over all corners of blocks in two dimensions.
double weighted_primal(const std::vector<testing::ExplicitBlock>& blocks,
                       const std::vector<double>& c, double lambda, Objective objective,
                       const std::array<double, 2>& w) {
  double sum = 0.0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    double h = 0.0;
    for (const testing::ExplicitCorner& y : blocks[i]) {
      h = std::max(h, y.loss - w[0] * y.psi[0] - w[1] * y.psi[1]);
    }
    sum += c[i] * (objective == Objective::kL2 ? h * h : h);
  }
  return 0.5 * lambda * (w[0] * w[0] + w[1] * w[1]) + sum / static_cast<double>(blocks.size());
}

TEST(WeightLaws, CertificatesHoldTheOptimumFoundByNestedSearches) {
  constexpr double kLambda = 0.3;
  const auto blocks = testing::random_corners(6, 4, 2, 17);
  const std::vector<double> c{2.5, 0.3, 1.0, 4.0, 0.05, 1.7};
  const auto plain = testing::explicit_problem(blocks);
  const auto problem = make_weighted_problem(*plain, c);
  std::map<Objective, double> best;
  for (const Objective objective : {Objective::kL1, Objective::kL2}) {
    const auto along = [&](double x) {
      return minimum(
          [&](double y) {
            return weighted_primal(blocks, c, kLambda, objective, {x, y});
          },
          -50.0, 50.0);
    };
    best[objective] = minimum(along, -50.0, 50.0);
  }
  EXPECT_GT(std::abs(best[Objective::kL1] - best[Objective::kL2]), 1e-3);
  for_each_certified(*problem, [&](const SolverInfo& solver) {
    SCOPED_TRACE(solver.name);
    const double optimum = best[solver.objective];
    const Report report = train(*problem, options_for(solver, kLambda));
    EXPECT_EQ(report.reason, StopReason::kConverged);
    EXPECT_TRUE(report.progress.is_certified);
    EXPECT_LE(report.progress.dual, optimum + 1e-9);
    EXPECT_GE(*report.progress.primal, optimum - 1e-9);
    EXPECT_NEAR(*report.progress.primal, optimum, 1.1 * tolerance_of(solver) * optimum);
    EXPECT_NEAR(*report.progress.primal,
                weighted_primal(blocks, c, kLambda, solver.objective, {report.w[0], report.w[1]}),
                1e-12);
  });
}

/// n P is the same if n lambda is: weight k and k copies have the same optimum.
void expect_copies_equal(const Problem& plain) {
  const Index n = plain.num_blocks();
  std::vector<double> weights;
  std::vector<Index> copies;
  for (Index i = 0; i < n; ++i) {
    weights.push_back(1.0 + static_cast<double>(i % 3));
    for (Index k = 0; k <= i % 3; ++k) copies.push_back(i);
  }
  const auto weighted = make_weighted_problem(plain, weights);
  const auto copied = make_subset_problem(plain, copies);
  const auto m = static_cast<double>(copies.size());
  const double factor = static_cast<double>(n) / m;
  for_each_certified(*weighted, [&](const SolverInfo& solver) {
    if (testing::may_refuse(solver.name, *copied)) return;
    SCOPED_TRACE(solver.name);
    const Report one = train(*weighted, options_for(solver, 0.7 / static_cast<double>(n)));
    const Report many = train(*copied, options_for(solver, 0.7 / m));
    const double tolerance = 1e-9 + tolerance_of(solver) * *many.progress.primal;
    EXPECT_NEAR(factor * *one.progress.primal, *many.progress.primal, 2.0 * tolerance);
    EXPECT_LE(factor * one.progress.dual, *many.progress.primal + 1e-9);
    EXPECT_LE(many.progress.dual, factor * *one.progress.primal + 1e-9);
  });
}

TEST(WeightLaws, WeightTwoIsTwoCopies) {
  expect_copies_equal(
      *testing::random_chains({.sequences = 7, .labels = 3, .max_length = 3, .seed = 3}).problem);
  expect_copies_equal(*testing::random_classes({.examples = 10, .has_costs = true}).problem);
  expect_copies_equal(
      *testing::random_graphs({.variables = 3, .most_states = 3, .is_forest = true, .seed = 8}));
}

/// Kernel solvers too, whose kernel must not see scaled inputs.
TEST(WeightLaws, EverySolverFindsTheSameWeightedOptimum) {
  const auto plain =
      testing::random_chains({.sequences = 8, .labels = 3, .max_length = 3, .seed = 4}).problem;
  const auto problem = make_weighted_problem(*plain, some_weights(plain->num_blocks()));
  std::map<Objective, std::pair<double, double>> bounds;
  for_each_certified(*problem, [&](const SolverInfo& solver) {
    const Report report = train(*problem, options_for(solver, 0.1));
    auto& [lower, upper] =
        bounds.try_emplace(solver.objective, std::pair{-1e300, 1e300}).first->second;
    lower = std::max(lower, report.progress.dual);
    upper = std::min(upper, *report.progress.primal);
    EXPECT_EQ(report.reason, StopReason::kConverged) << solver.name;
    EXPECT_LE(lower, upper + 1e-12) << solver.name;
    EXPECT_LE(*report.progress.primal, lower * (1.0 + 2.0 * tolerance_of(solver)) + 1e-9)
        << solver.name;
  });
  EXPECT_EQ(bounds.size(), 2U);
}

TEST(WeightLaws, WeightsOfOneChangeNothing) {
  const auto plain = testing::random_chains({.seed = 6}).problem;
  const auto ones = make_weighted_problem(
      *plain, std::vector<double>(static_cast<std::size_t>(plain->num_blocks()), 1.0));
  for (const SolverInfo& solver : solvers()) {
    if (testing::may_refuse(solver.name, *plain)) continue;
    TrainOptions options;
    options.solver = solver.name;
    options.max_passes = 5;
    options.threads = 1;
    EXPECT_EQ(train(*plain, options).w, train(*ones, options).w) << solver.name;
  }
}

TEST(WeightLaws, ScaledOraclesOfAllTasksKeepTheirContract) {
  for (const std::string_view task : task_names()) {
    SCOPED_TRACE(task);
    const testing::TaskSample sample(task);
    const Problem& plain = sample.problem();
    const auto weighted = make_weighted_problem(plain, some_weights(plain.num_blocks()));
    for (const Hinge hinge : {Hinge::kPlain, Hinge::kSquared}) {
      const ObjectiveForm form(*weighted, hinge);
      EXPECT_NO_THROW(check_oracle(form.problem()));
    }
  }
}

TEST(WeightLaws, CheckpointsOfOtherWeightsAreRefused) {
  const auto plain = testing::random_chains({.seed = 3}).problem;
  const auto weighted = make_weighted_problem(*plain, some_weights(plain->num_blocks(), 1));
  const auto other = make_weighted_problem(*plain, some_weights(plain->num_blocks(), 2));
  TrainOptions options;
  options.max_passes = 12;
  testing::StopAfterSteps stopper(5);
  train(*weighted, options, stopper);
  const auto resume = [&](const Problem& problem) {
    Training training(problem, options);
    training.restore(stopper.saved, "checkpoint");
    Observer nobody;
    return training.run(nobody).w;
  };
  EXPECT_EQ(resume(*weighted), train(*weighted, options).w);
  EXPECT_THROW(resume(*other), InputError);
  EXPECT_THROW(resume(*plain), InputError);
}

TEST(WeightLaws, BadWeightsAreRefused) {
  const auto plain = testing::golden_g1();
  EXPECT_THROW(make_weighted_problem(*plain, {1.0}), OptionError);
  EXPECT_THROW(make_weighted_problem(*plain, {1.0, 0.0}), OptionError);
  EXPECT_THROW(make_weighted_problem(*plain, {1.0, -2.0}), OptionError);
  EXPECT_THROW(make_weighted_problem(*plain, {1.0, std::nan("")}), OptionError);
  EXPECT_THROW(make_weighted_problem(*plain, {INFINITY, 1.0}), OptionError);
}

}  // namespace
}  // namespace gapwise::internal
