#include <gtest/gtest.h>

#include <set>

#include "gapwise/train.h"
#include "solve/averager.h"
#include "solve/dual_state.h"
#include "solve/sampler.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

struct DualWalk {
  testing::Chains chains = testing::random_chains({.sequences = 10, .labels = 4, .seed = 7});
  std::unique_ptr<Oracle> oracle = chains.problem->make_oracle();
  DualState state{chains.problem->num_blocks(), chains.problem->dimension(), 0.1};
  Rng rng{7};
  PartScores theta;
  Corner corner;
  Direction direction;

  double step() {
    const Index i = rng.below(state.num_blocks());
    oracle->argmax(i, state.point().w(), theta, corner);
    state.toward(*oracle, i, theta, corner, direction);
    const double gamma = exact_line_search(direction);
    state.move(*oracle, i, direction, gamma);
    return gamma;
  }
  double recomputed_dual() {
    return state.point().ell() - 0.5 * state.point().lambda() * squared_norm(state.point().w());
  }
};

TEST(DualState, GainsExactlyWhatTheDirectionPromises) {
  DualWalk walk;
  for (int k = 0; k < 500; ++k) {
    const double before = walk.recomputed_dual();
    const double gamma = walk.step();
    EXPECT_NEAR(walk.recomputed_dual() - before, walk.direction.gain(gamma), 1e-10);
    EXPECT_GE(walk.direction.gain(gamma), 0.0);
  }
}

TEST(DualState, RebuildRemovesOnlyDrift) {
  DualWalk walk;
  for (int k = 0; k < 2000; ++k) walk.step();
  const std::vector<double> w(walk.state.point().w().begin(), walk.state.point().w().end());
  const double ell = walk.state.point().ell();
  const double dual = walk.state.point().dual();
  walk.state.rebuild(*walk.oracle);
  for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], walk.state.point().w()[j], 1e-9);
  EXPECT_NEAR(ell, walk.state.point().ell(), 1e-9);
  EXPECT_NEAR(dual, walk.state.point().dual(), 1e-9);
}

TEST(DualState, BlockGapsSumToPrimalMinusDual) {
  DualWalk walk;
  for (int k = 0; k < 100; ++k) {
    walk.step();
    walk.state.rebuild(*walk.oracle);
    const auto n = static_cast<double>(walk.state.num_blocks());
    double primal = 0.5 * 0.1 * squared_norm(walk.state.point().w());
    double gaps = 0.0;
    for (Index i = 0; i < walk.state.num_blocks(); ++i) {
      walk.oracle->argmax(i, walk.state.point().w(), walk.theta, walk.corner);
      const double top = violation(walk.corner.loss, walk.corner.parts, walk.theta);
      const double gap = (top - walk.state.block_violation(i, walk.theta)) / n;
      EXPECT_GE(gap, -1e-12);
      primal += top / n;
      gaps += gap;
    }
    EXPECT_NEAR(gaps, primal - walk.state.point().dual(), 1e-9 * std::max(1.0, primal));
  }
}

TEST(LineSearch, KeepsToTheSegment) {
  Direction direction;
  direction.slope = -1.0;
  EXPECT_EQ(exact_line_search(direction), 0.0);
  direction.slope = 1.0;
  EXPECT_EQ(exact_line_search(direction), 1.0);  // no curvature
  direction.curvature = 4.0;
  EXPECT_EQ(exact_line_search(direction), 0.25);
  direction.curvature = 0.5;
  EXPECT_EQ(exact_line_search(direction, 0.7), 0.7);
}

TEST(Sampler, PermutationVisitsEveryBlockOncePerPassInNewOrder) {
  Rng rng(3);
  const GapTracker gaps(20);
  Sampler sampler(Sampling::kPermutation, 20, {});
  std::vector<std::vector<Index>> passes(2);
  for (auto& pass : passes) {
    for (int k = 0; k < 20; ++k) pass.push_back(sampler.next(rng, gaps));
    EXPECT_EQ(std::set<Index>(pass.begin(), pass.end()).size(), 20U);
  }
  EXPECT_NE(passes[0], passes[1]);
}

TEST(Sampler, CyclicKeepsTheGivenOrder) {
  Rng rng(3);
  const GapTracker gaps(3);
  Sampler sampler(Sampling::kCyclic, 3, {2, 0, 1});
  for (const Index expected : {2, 0, 1, 2, 0, 1}) EXPECT_EQ(sampler.next(rng, gaps), expected);
}

/// Both lazy averages against sums of all iterates.
TEST(Averager, EqualsTheAverageOfAllIterates) {
  const Index n = 4;
  const Index d = 3;
  Rng rng(5);
  for (const Average kind : {Average::kWeighted, Average::kSuffix}) {
    Averager averager(kind, n, d);
    std::vector<double> w(3, 0.0);
    double ell = 0.0;
    std::vector<std::vector<double>> iterates;
    std::vector<double> ells;
    for (int k = 1; k <= 40; ++k) {
      std::vector<double> change(3);
      for (double& x : change) x = rng.uniform() - 0.5;
      const double ell_change = rng.uniform();
      for (std::size_t j = 0; j < 3; ++j) w[j] += change[j];
      ell += ell_change;
      averager.add(change, ell_change);
      iterates.push_back(w);
      ells.push_back(ell);

      Index first = 1;  // of the iterates in the suffix
      for (Index restart = n; restart < k; restart *= 2) first = restart + 1;
      double total = 0.0;
      std::vector<double> expected(3, 0.0);
      double expected_ell = 0.0;
      for (int t = 1; t <= k; ++t) {
        const double weight = kind == Average::kWeighted ? t : (t >= first ? 1.0 : 0.0);
        const auto at = static_cast<std::size_t>(t - 1);
        total += weight;
        for (std::size_t j = 0; j < 3; ++j) expected[j] += weight * iterates[at][j];
        expected_ell += weight * ells[at];
      }
      std::vector<double> found;
      double found_ell = 0.0;
      averager.average(w, ell, found, found_ell);
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found[j], expected[j] / total, 1e-12);
      EXPECT_NEAR(found_ell, expected_ell / total, 1e-12);
    }
  }
}

TEST(TrainOptions, RefuseWhatMakesNoSense) {
  const auto refuses = [](auto change) {
    TrainOptions options;
    change(options);
    try {
      validate(options, 10);
    } catch (const OptionError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refuses([](TrainOptions&) {}));
  EXPECT_TRUE(refuses([](TrainOptions& o) { o.lambda = Lambda::of(0.0); }));
  EXPECT_TRUE(refuses([](TrainOptions& o) { o.lambda = Lambda::over_n(-1.0); }));
  EXPECT_TRUE(refuses([](TrainOptions& o) { o.lambda = Lambda::of(NAN); }));
  EXPECT_TRUE(refuses([](TrainOptions& o) { o.lambda = Lambda::of(INFINITY); }));
  EXPECT_TRUE(refuses([](TrainOptions& o) { o.solver = "nonesuch"; }));
  EXPECT_TRUE(refuses([](TrainOptions& o) { o.max_passes = 0; }));
  EXPECT_TRUE(refuses([](TrainOptions& o) { o.order = {0, 1}; }));
  EXPECT_TRUE(refuses([](TrainOptions& o) {
    o.sampling = Sampling::kCyclic;
    o.order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 8};
  }));
  TrainOptions options;
  set_option(options, "lambda", "1/n");
  EXPECT_EQ(options.lambda.resolve(50), 0.02);
  set_option(options, "lambda", "0.5");
  EXPECT_EQ(options.lambda.resolve(50), 0.5);
  EXPECT_THROW(set_option(options, "lambda", "1/0"), OptionError);
  EXPECT_THROW(set_option(options, "lambda", "x"), OptionError);
}

std::string complaint_of(const TrainOptions& options) {
  try {
    validate(options, 10);
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

TEST(TrainOptions, RefuseWhatMeansNothingToTheSolverOnceItIsGivenWhateverItsValue) {
  TrainOptions options;
  options.solver = "bcfw";
  options.max_planes = TrainOptions().max_planes;
  EXPECT_EQ(complaint_of(options), "") << "a member that was not changed";
  set_option(options, "max-planes", "200");
  EXPECT_EQ(options.max_planes, TrainOptions().max_planes);
  EXPECT_TRUE(complaint_of(options).starts_with("max-planes 200 has no meaning for solver bcfw"));
  options.given.clear();
  options.max_planes = 201;
  EXPECT_TRUE(complaint_of(options).starts_with("max-planes 201 has no meaning for solver bcfw"));
  options.solver = "one-slack";
  set_option(options, "max-planes", "200");
  EXPECT_EQ(complaint_of(options), "");
}

TEST(TrainOptions, AreSetAndReadByName) {
  TrainOptions options;
  set_option(options, "relative-gap", "0.25");
  set_option(options, "deterministic", "no");
  EXPECT_EQ(options.relative_gap, 0.25);
  EXPECT_FALSE(options.deterministic);
  EXPECT_EQ(options.given, (std::set<std::string>{"relative-gap", "deterministic"}));
  EXPECT_THROW(set_option(options, "seed", "many"), OptionError);
  EXPECT_FALSE(options.given.contains("seed")) << "it was not set";
  try {
    set_option(options, "relativ-gap", "0.1");
    FAIL() << "there is no such option";
  } catch (const OptionError& error) {
    EXPECT_EQ(std::string(error.what()),
              "there is no option 'relativ-gap'; did you mean 'relative-gap'?");
  }
  const TrainOptions& fixed = options;
  const auto values = values_of(fixed);
  EXPECT_EQ(values.size(), option_table(options).size());
  EXPECT_EQ(values.front(), (std::pair<std::string, std::string>{"solver", "auto"}));
}

TEST(Training, BudgetsEndARunWithTheirOwnStatus) {
  const auto problem = testing::random_chains({.sequences = 30, .labels = 4, .seed = 2}).problem;
  TrainOptions options;
  options.gap = 0.0;
  options.max_passes = 3;
  Report report = train(*problem, options);
  EXPECT_EQ(report.reason, StopReason::kMaxPasses);
  EXPECT_EQ(report.progress.passes, 3);
  EXPECT_TRUE(report.progress.is_certified);

  options.max_passes = 1'000'000;
  options.max_oracle_calls = 200;
  report = train(*problem, options);
  EXPECT_EQ(report.reason, StopReason::kMaxOracleCalls);
  EXPECT_LE(report.progress.oracle_calls, 200);
  EXPECT_TRUE(report.progress.is_certified);

  options.max_oracle_calls = 10;  // too few for a gap pass: no certificate is claimed
  report = train(*problem, options);
  EXPECT_EQ(report.progress.oracle_calls, 10);
  EXPECT_FALSE(report.progress.is_certified);
  EXPECT_FALSE(report.progress.primal);

  options.max_oracle_calls.reset();
  options.solver = "bcfw";  // which does not come to rest before the time is up
  options.max_seconds = 0.05;
  report = train(*problem, options);
  EXPECT_EQ(report.reason, StopReason::kMaxSeconds);
  EXPECT_LT(report.progress.seconds, 2.0);
}

}  // namespace
}  // namespace gapwise::internal
