// Weights that must not be negative: the pieces, and golden example G5 step by step.

#include "solve/nonnegative.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/delayed_problem.h"
#include "solve/dual_state.h"
#include "solve/training.h"
#include "support/problems.h"
#include "support/reading.h"
#include "support/refusals.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;

/// A problem with groups of our own.
class WithGroups final : public Problem {
 public:
  WithGroups(std::unique_ptr<Problem> inner, std::vector<WeightGroup> groups)
      : inner_(std::move(inner)), groups_(std::move(groups)) {}
  Index num_blocks() const override { return inner_->num_blocks(); }
  Index dimension() const override { return inner_->dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override { return inner_->make_oracle(); }
  std::vector<WeightGroup> weight_groups() const override { return groups_; }
  double oracle_cost() const override { return inner_->oracle_cost(); }
  std::uint64_t fingerprint() const override { return inner_->fingerprint(); }

 private:
  std::unique_ptr<Problem> inner_;
  std::vector<WeightGroup> groups_;
};

/// n = 2, d = 2, lambda = 0.5; the second weight must not be negative.
WithGroups golden_g5() {
  return {testing::explicit_problem(
              {{{{0.0, 0.0}, 0.0}, {{2.0, 1.0}, 1.0}}, {{{0.0, 0.0}, 0.0}, {{-0.5, -2.0}, 1.0}}}),
          {{"second", 1, 2}, {"all", 0, 2}}};
}

TrainOptions golden_options(const std::string& solver, const std::string& nonnegative) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = Lambda::of(0.5);
  options.gap = 1e-9;
  options.max_passes = 100'000;
  options.nonnegative = nonnegative;
  return options;
}

TEST(GoldenG5, BcfwReachesTheOptimumInThreeSteps) {
  const WithGroups problem = golden_g5();
  TrainOptions options = golden_options("bcfw", "second");
  options.sampling = Sampling::kCyclic;
  SolverBench bench(problem, options);
  const double w[3][2] = {{0.4, 0.2}, {-0.1, 0.0}, {0.5, 0.0}};
  const double dual[] = {0.05, 0.5975, 0.6875};
  const double primal[] = {0.85, 1.0775, 0.6875};
  for (int k = 0; k < 3; ++k) {
    bench.solver->step();
    EXPECT_NEAR(bench.solver->dual(), dual[k], 1e-12) << k;
    const Measurement measured = bench.solver->gap_pass();
    EXPECT_NEAR(bench.w()[0], w[k][0], 1e-12) << k;
    EXPECT_NEAR(bench.w()[1], w[k][1], 1e-12) << k;
    EXPECT_NEAR(measured.dual, dual[k], 1e-12) << k;
    EXPECT_NEAR(measured.primal, primal[k], 1e-12) << k;
    EXPECT_NEAR(bench.solver->estimated_gap(), primal[k] - dual[k], 1e-12) << k;
  }
}

TEST(GoldenG5, DualStateTakesTheKnownStepSizes) {
  const WithGroups problem = golden_g5();
  const auto oracle = problem.make_oracle();
  DualState state(2, 2, 0.5, {problem.weight_groups(), "second"});
  const double gap[] = {0.5, 0.8, 0.48};
  const double gamma[] = {0.2, 1.0, 0.375};
  const double v[3][2] = {{0.4, 0.2}, {-0.1, -1.8}, {0.5, -1.5}};
  PartScores theta;
  Corner corner;
  Direction direction;
  for (int k = 0; k < 3; ++k) {
    oracle->argmax(k % 2, state.point().w(), theta, corner);
    state.toward(*oracle, k % 2, theta, corner, direction);
    EXPECT_NEAR(direction.slope, gap[k], 1e-12) << k;
    EXPECT_NEAR(exact_line_search(direction), gamma[k], 1e-12) << k;
    if (k == 1) {
      ASSERT_EQ(direction.bends.size(), 1U);
      EXPECT_NEAR(direction.bends[0].gamma, 0.1, 1e-12);
    }
    state.move(*oracle, k % 2, direction, exact_line_search(direction));
    EXPECT_NEAR(state.point().v()[0], v[k][0], 1e-12) << k;
    EXPECT_NEAR(state.point().v()[1], v[k][1], 1e-12) << k;
  }
}

TEST(GoldenG5, EverySolverFindsTheOptimumWithAndWithoutTheConstraint) {
  const WithGroups problem = golden_g5();
  for (const SolverInfo& solver : solvers()) {
    if (!has_option(solver, "nonnegative") || solver.objective != Objective::kL1) continue;
    if (!solver.has_dual || testing::may_refuse(solver.name, problem)) continue;
    TrainOptions options = golden_options(std::string(solver.name), "second");
    if (solver.name == "fw") options.gap = 1e-4;  // the batch method needs O(1 / gap) passes
    const double radius = std::sqrt(2.0 * *options.gap / 0.5) + 1e-9;
    const Report bound = train(problem, options);
    EXPECT_EQ(bound.reason, StopReason::kConverged) << solver.name;
    EXPECT_NEAR(*bound.progress.primal, 0.6875, *options.gap) << solver.name;
    EXPECT_NEAR(bound.w[0], 0.5, radius) << solver.name;
    EXPECT_EQ(bound.w[1], 0.0) << solver.name;
    EXPECT_FALSE(std::signbit(bound.w[1])) << solver.name;
    options.nonnegative.clear();
    const Report unbound = train(problem, options);
    EXPECT_NEAR(*unbound.progress.primal, 61.0 / 196.0, *options.gap) << solver.name;
    EXPECT_NEAR(unbound.w[0], 6.0 / 7.0, radius) << solver.name;
    EXPECT_NEAR(unbound.w[1], -5.0 / 7.0, radius) << solver.name;
  }
}

TEST(LineSearch, CrossesBendsAndStopsAtTheMaximum) {
  Ascent line;
  line.slope = 1.0;
  line.curvature = 2.0;
  line.bends = {{0.25, 2.0}, {0.3, -4.0}, {0.8, 1.0}};
  // Slopes at the bends: 0.5, 0.3, and 0.3 all the way between, where the curvature is 0.
  EXPECT_NEAR(line.gain(0.25), 0.1875, 1e-15);
  EXPECT_NEAR(line.gain(0.3), 0.1875 + 0.05 * 0.4, 1e-15);
  EXPECT_NEAR(line.gain(0.8), 0.2075 + 0.5 * 0.3, 1e-15);
  EXPECT_NEAR(exact_line_search(line, 2.0), 1.1, 1e-15);
  EXPECT_EQ(exact_line_search(line), 1.0);
  EXPECT_EQ(exact_line_search(line, 0.5), 0.5);
  line.slope = 0.5;  // used up at the first bend
  EXPECT_EQ(exact_line_search(line), 0.25);
  line.slope = 0.3;
  EXPECT_NEAR(exact_line_search(line), 0.15, 1e-15);
}

/// The best of many small steps is never better than the exact one, and gains are differences of
/// the dual written out.
TEST(NonnegativeSet, BendsMakeTheLineTheDualItself) {
  Rng rng(5);
  const double lambda = 0.3;
  const NonnegativeSet set({{"some", 2, 9}}, "some");
  for (int round = 0; round < 200; ++round) {
    std::vector<double> v = testing::random_weights(12, rng, round % 2 == 0);
    const std::vector<double> change = testing::random_weights(12, rng, round % 3 == 0);
    const double ell_change = rng.uniform() * 4.0;
    const auto dual = [&](double gamma) {
      std::vector<double> w(v);
      for (std::size_t j = 0; j < w.size(); ++j) w[j] += gamma * change[j];
      set.truncate(w, w);
      return gamma * ell_change - 0.5 * lambda * testing::dot(w, w);
    };
    std::vector<double> w(v);
    set.truncate(w, w);
    Ascent line;
    line.slope = ell_change - lambda * testing::dot(w, change);
    line.curvature = lambda * testing::dot(change, change);
    set.bend(v, change, lambda, 1.0, line);
    const double best = line.gain(exact_line_search(line));
    for (int k = 0; k <= 50; ++k) {
      const double gamma = k / 50.0;
      EXPECT_NEAR(line.gain(gamma), dual(gamma) - dual(0.0), 1e-12);
      EXPECT_LE(line.gain(gamma), best + 1e-12);
    }
  }
}

TEST(NonnegativeSet, TruncatesTheUnionOfItsGroupsToPositiveZero) {
  const NonnegativeSet set({{"a", 0, 2}, {"b", 1, 3}, {"c", 4, 5}}, "c,b,a");
  std::vector<double> w{-1.0, 2.0, -0.0, -3.0, -4.0, -5.0};
  set.truncate(w, w);
  EXPECT_EQ(w, (std::vector<double>{0.0, 2.0, 0.0, -3.0, 0.0, -5.0}));
  EXPECT_FALSE(std::signbit(w[0]));
  EXPECT_FALSE(std::signbit(w[2]));
  EXPECT_TRUE(NonnegativeSet({{"a", 0, 2}}, "").is_empty());
}

TEST(NonnegativeSet, SaysWhichGroupsThereAre) {
  const auto chains = testing::random_chains({.edge_attributes = 2});
  const auto refusal = [&](const Problem& problem, const std::string& names) {
    TrainOptions options;
    options.nonnegative = names;
    return message_of<OptionError>([&] { Training(problem, options); });
  };
  for (const char* name :
       {"nodes", "start", "end", "transitions", "edges", "all", "start,end,transitions"}) {
    EXPECT_EQ(refusal(*chains.problem, name), "no error") << name;
  }
  for (const char* name : {"edge", "start,", ",", "start end", "Start"}) {
    EXPECT_NE(refusal(*chains.problem, name).find("nodes, start, end, transitions, edges, all"),
              std::string::npos)
        << name;
  }
  const auto plain = testing::random_chains({});
  EXPECT_NE(refusal(*plain.problem, "edges"), "no error");
  const auto classes = testing::random_classes({});
  EXPECT_EQ(refusal(*classes.problem, "all"), "no error");
  EXPECT_NE(refusal(*classes.problem, "nodes"), "no error");
  const auto slow = make_delayed_problem(*plain.problem, 0.0);
  EXPECT_EQ(refusal(*slow, "transitions"), "no error");
}

TEST(NonnegativeSet, GroupsOfAChainCoverItsWeightsOnce) {
  const auto chains = testing::random_chains({.edge_attributes = 2});
  Index next = 0;
  for (const WeightGroup& group : chains.problem->weight_groups()) {
    if (group.name == "all") {
      EXPECT_EQ(group.begin, 0);
      EXPECT_EQ(group.end, next);
    } else {
      EXPECT_EQ(group.begin, next) << group.name;
      next = group.end;
    }
  }
  EXPECT_EQ(next, chains.problem->dimension());
}

TEST(NonnegativeSet, IsRefusedWhereItCannotBeKept) {
  const auto chains = testing::random_chains({});
  TrainOptions options;
  options.nonnegative = "transitions";
  options.solver = "kernel-bcfw";
  EXPECT_THROW(Training(*chains.problem, options), OptionError);
  options.solver = "eg";
  EXPECT_THROW(Training(*chains.problem, options), OptionError);
}

}  // namespace
}  // namespace gapwise::internal
