// The softened problem, its steps, and the certificate of the relaxed problem; golden example G4 of
// two variables and a factor, and random graphs against enumeration.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gapwise/errors.h"
#include "gapwise/train.h"
#include "solve/factorwise/relaxed_certificate.h"
#include "solve/factorwise/soft_dual.h"
#include "support/graph_problem.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::GraphProblem;
using testing::GraphSpec;

/// A softened problem taken out of its solver, to be stepped by hand.
struct SoftBench {
  SoftBench(const Problem& problem, double lambda, RegionMove move, double rho)
      : options(testing::options_for("soft-bcfw", lambda)),
        team(problem, 1),
        rng(1),
        context{problem, options, lambda, team, rng},
        soft(context, move, rho),
        certificate(context) {}

  Measurement measure() {
    soft.rebuild(team.leader());
    return certificate.measure(soft.here());
  }
  /// g(w, delta) at the messages of the softened problem.
  double hard() {
    measure();
    return certificate.soft_primal() - soft.penalty();
  }
  void sweep(int times) {
    for (int k = 0; k < times; ++k) {
      for (Index i = 0; i < context.n(); ++i) soft.sweep(team.leader(), i);
    }
  }

  TrainOptions options;
  OracleTeam team;
  Rng rng;
  RunContext context;
  SoftDual soft;
  RelaxedCertificate certificate;
};

TEST(GoldenG4, EveryStepHasItsNumbers) {
  struct Row {
    double slope, gamma, hard, soft_primal, soft_dual;
  };
  const std::vector<Row> rows{{1, 0.25, 1.5625, 1.625, 0.125},
                              {1, 0.1, 0.8025, 0.875, 0.175},
                              {0.7, 0.175, 0.9525, 0.96375, 0.23625},
                              {0.2625, 0.1166666667, 0.82890625, 0.8609375, 0.2515625},
                              {0.315, 0.0388888889, 0.51180625, 0.5398125, 0.2576875},
                              {0.282125, 0.0824324324, 0.4674527073, 0.4770357264, 0.2693156250}};
  const auto problem = testing::golden_g4();
  SoftBench bench(*problem, 0.5, RegionMove::kFrankWolfe, 1.0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const RegionGain step = bench.soft.step(bench.team.leader(), 0, static_cast<Index>(k % 3));
    EXPECT_NEAR(step.gap, rows[k].slope, 5e-11) << k;
    EXPECT_NEAR(step.gamma, rows[k].gamma, 5e-11) << k;
    EXPECT_NEAR(bench.soft.value(), rows[k].soft_dual, 5e-11) << k;
    EXPECT_NEAR(bench.hard(), rows[k].hard, 5e-11) << k;
    EXPECT_NEAR(bench.certificate.soft_primal(), rows[k].soft_primal, 5e-11) << k;
    EXPECT_NEAR(bench.soft.value(), rows[k].soft_dual, 5e-11) << k;
  }
  const Weights w = bench.soft.point().w();
  EXPECT_NEAR(w[0], 0.675, 5e-11);
  EXPECT_NEAR(w[1], -0.54, 5e-11);
  EXPECT_NEAR(w[2], -0.1648648649, 5e-11);
}

TEST(GoldenG4, SoftOptimumAndWhatItProvesOfTheHardOne) {
  struct Row {
    double rho, optimum, bound;
  };
  const auto problem = testing::golden_g4();
  for (const Row& row :
       {Row{10, 0.3061797753, 0.2365862896}, Row{1, 19.0 / 68, 0.2463235294},
        Row{0.1, 25.0 / 98, 0.2498893690}, Row{0.01, 0.2505506608, 0.2499987113}}) {
    SoftBench bench(*problem, 0.5, RegionMove::kPair, row.rho);
    bench.sweep(20'000);
    const Measurement measured = bench.measure();
    EXPECT_NEAR(bench.certificate.soft_primal(), row.optimum, 5e-11) << row.rho;
    EXPECT_NEAR(bench.soft.value(), row.optimum, 5e-11) << row.rho;
    EXPECT_NEAR(measured.dual, row.bound, 5e-11) << row.rho;
    EXPECT_GE(measured.primal, 0.25) << row.rho;
    if (row.rho != 1) continue;
    EXPECT_NEAR(bench.hard(), 0.2638408304, 5e-11);
    const Weights w = bench.soft.point().w();
    EXPECT_NEAR(w[0], 14.0 / 17, 1e-9);
    EXPECT_NEAR(w[1], -10.0 / 17, 1e-9);
    EXPECT_NEAR(w[2], -3.0 / 17, 1e-9);
  }
}

TEST(GoldenG4, AugmentedLagrangianWithExactInnerSolves) {
  const auto problem = testing::golden_g4();
  SoftBench bench(*problem, 0.5, RegionMove::kPair, 1.0);
  for (const double hard : {0.2638408304, 0.2530650974, 0.2506787759, 0.2501503172, 0.2500332882}) {
    bench.sweep(5'000);
    EXPECT_NEAR(bench.hard(), hard, 5e-11);
    bench.soft.raise_multipliers(1.0);
  }
}

TEST(GoldenG4, SolversEndAtTheHardOptimum) {
  const auto problem = testing::golden_g4();
  for (const std::string solver : {"soft-bcfw", "gdmm"}) {
    TrainOptions options = testing::options_for(solver, 0.5);
    options.gap = solver == "gdmm" ? 1e-9 : 1e-5;
    options.max_passes = 200'000;
    const Report report = train(*problem, options);
    EXPECT_EQ(report.reason, StopReason::kConverged) << solver;
    EXPECT_NEAR(*report.progress.primal, 0.25, *options.gap) << solver;
    EXPECT_FALSE(report.progress.is_relaxed) << solver;
    EXPECT_NEAR(report.w[0], 2.0 / 3.0, 0.01) << solver;
  }
}

std::vector<std::unique_ptr<GraphProblem>> graphs() {
  std::vector<std::unique_ptr<GraphProblem>> all;
  all.push_back(testing::golden_g4());
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    all.push_back(testing::random_graphs({.seed = seed}));
    all.push_back(testing::random_graphs({.is_forest = true, .seed = seed}));
    all.push_back(testing::random_graphs({.variables = 3, .most_states = 2, .seed = seed}));
  }
  all.push_back(testing::random_graphs({.blocks = 3, .factors = 0, .seed = 5}));
  return all;
}

/// f(mu) from its definition, by way of a rebuild.
double value_anew(SoftBench& bench) {
  bench.soft.rebuild(bench.team.leader());
  return bench.soft.value();
}

TEST(SoftDual, PredictedGainIsRealisedAndNeverNegative) {
  for (const auto& problem : graphs()) {
    for (const RegionMove move : {RegionMove::kFrankWolfe, RegionMove::kPair}) {
      SoftBench bench(*problem, 0.3, move, 0.7);
      double before = value_anew(bench);
      for (int k = 0; k < 60; ++k) {
        const Index i = bench.rng.below(problem->num_blocks());
        const Index regions = std::ssize(bench.soft.beliefs()[i].layout().regions());
        if (k == 30) bench.soft.raise_multipliers(0.5);
        if (k == 30) before = value_anew(bench);
        const RegionGain step = bench.soft.step(bench.team.leader(), i, bench.rng.below(regions));
        const double n = static_cast<double>(problem->num_blocks());
        const double after = value_anew(bench);
        EXPECT_GE(step.gain, 0.0);
        EXPECT_NEAR(after - before, step.gain / n, 1e-13);
        before = after;
      }
    }
  }
}

TEST(SoftDual, GapIsPrimalMinusDual) {
  for (const auto& problem : graphs()) {
    SoftBench bench(*problem, 0.3, RegionMove::kFrankWolfe, 0.7);
    for (int k = 0; k < 10; ++k) {
      bench.measure();
      EXPECT_NEAR(bench.certificate.soft_gap(),
                  bench.certificate.soft_primal() - bench.soft.value(), 1e-9);
      EXPECT_GE(bench.certificate.soft_gap(), 0.0);
      bench.sweep(2);
      if (k % 3 == 2) bench.soft.raise_multipliers(1.0);
    }
  }
}

TEST(Rounding, EndsInTheLocalPolytopeAndLeavesItsPointsAlone) {
  for (const auto& problem : graphs()) {
    SoftBench bench(*problem, 0.3, RegionMove::kFrankWolfe, 3.0);
    for (int k = 0; k < 4; ++k) {
      for (Index i = 0; i < problem->num_blocks(); ++i) {
        const BlockBeliefs block = bench.soft.beliefs()[i];
        Rounding rounding;
        rounding.round(block);
        for (const Region& region : block.layout().regions()) {
          double sum = 0.0;
          for (const double x : rounding.beliefs(region)) {
            EXPECT_GE(x, 0.0);
            sum += x;
          }
          EXPECT_NEAR(sum, 1.0, 1e-14);
          for (const Axis& axis : block.layout().axes(region)) {
            std::vector<double> marginal(static_cast<std::size_t>(axis.size), 0.0);
            add_marginals(rounding.beliefs(region), axis, marginal);
            const auto p = rounding.beliefs(block.layout().region(axis.variable));
            for (std::size_t s = 0; s < p.size(); ++s) EXPECT_NEAR(marginal[s], p[s], 1e-14);
          }
          if (k > 0) continue;  // beliefs of the truth agree
          for (std::size_t s = 0; s < static_cast<std::size_t>(region.size); ++s) {
            EXPECT_EQ(rounding.beliefs(region)[s], block.beliefs(region)[s]);
          }
        }
      }
      bench.sweep(1);
    }
  }
}

/// P(w) over all assignments, which is at most the relaxed one.
double exact_primal(const GraphProblem& problem, double lambda, Weights w) {
  const auto oracle = problem.make_oracle();
  PartScores theta;
  Corner corner;
  double sum = 0.0;
  for (Index i = 0; i < problem.num_blocks(); ++i) {
    oracle->argmax(i, w, theta, corner);
    sum += violation(corner.loss, corner.parts, theta);
  }
  return 0.5 * lambda * oracle->squared_length(w) + sum / static_cast<double>(problem.num_blocks());
}

TEST(RelaxedCertificate, BoundsHoldOnEveryGraphAtEveryStep) {
  for (const auto& problem : graphs()) {
    double least_primal = 1e300;
    double largest_dual = 0.0;
    for (const double rho : {10.0, 1.0, 0.1}) {
      SoftBench bench(*problem, 0.3, RegionMove::kPair, rho);
      for (int k = 0; k < 12; ++k) {
        bench.measure();
        EXPECT_GE(bench.certificate.last_primal(),
                  exact_primal(*problem, 0.3, bench.soft.point().w()) - 1e-13);
        least_primal = std::min(least_primal, bench.certificate.last_primal());
        largest_dual = std::max(largest_dual, bench.certificate.last_dual());
        bench.sweep(k < 6 ? 1 : 20);
        if (k > 3) bench.soft.raise_multipliers(1.0);
      }
    }
    EXPECT_LE(largest_dual, least_primal);
  }
}

Report run(const Problem& problem, const std::string& solver, double gap, double lambda = 0.3) {
  TrainOptions options = testing::options_for(solver, lambda);
  options.gap = gap;
  options.gap_every = 50;
  options.max_passes = 20'000;
  if (solver == "gdmm") options.rho = 0.3;
  return train(problem, options);
}

TEST(Factorwise, ReachesTheOptimumOfBcfwOnForests) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto problem = testing::random_graphs({.is_forest = true, .seed = seed});
    const Report exact = run(*problem, "auto", 1e-7);
    const Report gdmm = run(*problem, "gdmm", 1e-6);
    EXPECT_EQ(gdmm.reason, StopReason::kConverged) << seed;
    EXPECT_FALSE(gdmm.progress.is_relaxed);
    EXPECT_NEAR(*gdmm.progress.primal, *exact.progress.primal, 1e-5);
    EXPECT_NEAR(gdmm.progress.dual, *exact.progress.primal, 1e-5);
    // The augmented Lagrangian with a few inner passes.
    SoftBench bench(*problem, 0.3, RegionMove::kPair, 1.0);
    for (int round = 0; round < 100; ++round) {
      bench.sweep(30);
      bench.soft.raise_multipliers(1.0);
    }
    EXPECT_NEAR(bench.measure().primal, *exact.progress.primal, 1e-5) << seed;
    EXPECT_NEAR(bench.certificate.dual(), *exact.progress.primal, 1e-5) << seed;
    // Frank-Wolfe steps alone need O(1 / gap) passes.
    const Report soft = run(*problem, "soft-bcfw", 0.1);
    EXPECT_EQ(soft.reason, StopReason::kConverged) << seed;
    EXPECT_NEAR(*soft.progress.primal, *exact.progress.primal, 0.1);
  }
}

TEST(Factorwise, LoopyGraphsHaveTheSameRelaxedOptimumBothWays) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto problem = testing::random_graphs({.seed = seed});
    const Report gdmm = run(*problem, "gdmm", 1e-3);
    EXPECT_EQ(gdmm.reason, StopReason::kConverged) << seed;
    EXPECT_TRUE(gdmm.progress.is_relaxed);
    EXPECT_TRUE(gdmm.progress.is_certified);
    const Report soft = run(*problem, "soft-bcfw", 0.1);
    EXPECT_EQ(soft.reason, StopReason::kConverged) << seed;
    EXPECT_NEAR(*soft.progress.primal, *gdmm.progress.primal, 0.1);
    // The exact problem lies below.
    const Report exact = run(*problem, "auto", 1e-7);
    EXPECT_LE(exact.progress.dual, *gdmm.progress.primal);
  }
}

TEST(Factorwise, CopiesOfEveryExampleHaveTheSameOptimum) {
  const auto once = testing::random_graphs({.seed = 2});
  const auto thrice = testing::copies(*once, 3);
  for (const double rho : {3.0, 0.3}) {
    double first = 0.0;
    for (const Problem* problem :
         {static_cast<const Problem*>(once.get()), static_cast<const Problem*>(thrice.get())}) {
      SoftBench bench(*problem, 0.3, RegionMove::kPair, rho);
      bench.sweep(3000);
      bench.measure();
      EXPECT_LE(bench.certificate.soft_gap(), 1e-4);
      if (problem == once.get()) first = bench.soft.value();
      EXPECT_NEAR(bench.soft.value(), first, 2e-4);
    }
  }
}

TEST(Factorwise, KeepsWeightsNonnegative) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto problem = testing::random_graphs({.is_forest = true, .seed = seed});
    TrainOptions options = testing::options_for("auto", 0.3);
    options.nonnegative = "all";
    options.gap = 1e-6;
    options.max_passes = 100'000;
    const Report exact = train(*problem, options);
    options.solver = "gdmm";
    options.rho = 0.3;
    options.gap = 1e-3;
    const Report gdmm = train(*problem, options);
    EXPECT_EQ(gdmm.reason, StopReason::kConverged) << seed;
    EXPECT_NEAR(*gdmm.progress.primal, *exact.progress.primal, 1e-3) << seed;
    for (const double x : gdmm.w) EXPECT_GE(x, 0.0);
    EXPECT_NE(std::count(gdmm.w.begin(), gdmm.w.end(), 0.0), 0) << "the constraint does not bind";
  }
}

TEST(Factorwise, ContinuationComesNearerThanAFixedRho) {
  const auto problem = testing::random_graphs({.seed = 3});
  std::map<Coupling, double> gaps;
  for (const Coupling coupling :
       {Coupling::kFixed, Coupling::kContinuation, Coupling::kMultipliers}) {
    TrainOptions options = testing::options_for("soft-bcfw", 0.3);
    options.coupling = coupling;
    options.rho = 5.0;
    options.gap = 1e-6;
    options.max_passes = 3000;
    const Report report = train(*problem, options);
    gaps[coupling] = *report.progress.gap();
    if (coupling == Coupling::kFixed) {
      EXPECT_LE(*report.progress.soft_gap, 0.05);
    }
  }
  EXPECT_LT(gaps[Coupling::kContinuation], 0.7 * gaps[Coupling::kFixed]);
  EXPECT_LT(gaps[Coupling::kMultipliers], 0.7 * gaps[Coupling::kFixed]);
}

TEST(Factorwise, PilotFindsARhoAndItsWorkCounts) {
  const auto problem = testing::random_graphs({.blocks = 40, .variables = 3, .seed = 4});
  TrainOptions options = testing::options_for("gdmm", Lambda::over_n(1));
  options.relative_gap = 0.05;
  options.max_passes = 2000;
  const Report found = train(*problem, options);
  EXPECT_EQ(found.reason, StopReason::kConverged);
  options.rho = 1.0;
  const Report given = train(*problem, options);
  // Ten passes over thirty examples for six, three and one values.
  EXPECT_GE(found.progress.oracle_calls - 40 * found.progress.passes, 9 * 10 * 30);
  EXPECT_LT(given.progress.oracle_calls - 40 * given.progress.passes, 9 * 10 * 30);
}

TEST(Factorwise, RefusesGraphsThatAreNone) {
  const auto fails = [](auto change) {
    testing::GraphBlock block = testing::golden_g4()->block(0);
    FactorGraph graph = *block.graph;
    change(graph, block);
    block.graph = std::make_shared<FactorGraph>(graph);
    const GraphProblem problem(3, {block});
    EXPECT_THROW(run(problem, "gdmm", 0.1), OracleError);
  };
  using Block = testing::GraphBlock;
  fails([](FactorGraph& graph, Block&) { graph.scopes = {0, 0}; });
  fails([](FactorGraph& graph, Block&) { graph.scopes = {0, 2}; });
  fails([](FactorGraph& graph, Block&) { graph.scopes = {0}, graph.scope_starts = {0, 1}; });
  fails([](FactorGraph& graph, Block&) { graph.table_parts.pop_back(); });
  fails([](FactorGraph& graph, Block&) {
    graph.table_parts.pop_back(), graph.table_starts = {0, 3};
  });
  fails([](FactorGraph& graph, Block&) { graph.table_starts = {0}, graph.table_parts = {}; });
  fails([](FactorGraph& graph, Block&) { graph.state_starts = {0, 0, 4}; });
  fails([](FactorGraph&, Block& block) { block.truth = {1}; });
  fails([](FactorGraph&, Block& block) { block.truth = {1, 2}; });
  fails([](FactorGraph&, Block& block) { block.costs = {1, 1, 0, 1}; });
  fails([](FactorGraph&, Block& block) { block.costs = {-1, 0, 0, 1}; });
}

}  // namespace
}  // namespace gapwise::internal
