// The cutting-plane methods, step by step against planes and working sets written out with dense
// vectors, and masters that an independent method solves.

#include <gtest/gtest.h>

#include <cmath>

#include "gapwise/train.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::ExplicitBlock;
using testing::ExplicitCorner;
using testing::SolverBench;
using Vector = std::vector<double>;

double violation_of(const ExplicitCorner& corner, const Vector& w) {
  return corner.loss - testing::dot(corner.psi, w);
}

const ExplicitCorner& worst_of(const ExplicitBlock& block, const Vector& w) {
  const ExplicitCorner* worst = &block.front();
  for (const ExplicitCorner& corner : block) {
    if (violation_of(corner, w) > violation_of(*worst, w)) worst = &corner;
  }
  return *worst;
}

TrainOptions options_of(const std::string& solver, double lambda,
                        const std::string& nonnegative = "") {
  TrainOptions options;
  options.solver = solver;
  options.nonnegative = nonnegative;
  options.lambda = Lambda::of(lambda);
  options.threads = 1;
  return options;
}

/// What planes that lie close together let us know of an optimum.
constexpr double kSlack = 1e-8;

/// The optimum over these corners, by pairwise Frank-Wolfe.
double optimum(const std::vector<ExplicitBlock>& blocks, double lambda,
               const std::string& nonnegative) {
  TrainOptions options = options_of("bcpfw", lambda, nonnegative);
  options.gap = 1e-10;
  options.relative_gap = 0.0;
  options.max_passes = 200'000;
  const Report report = train(*testing::explicit_problem(blocks), options);
  EXPECT_LE(report.progress.gap().value_or(1.0), kSlack);
  return report.progress.dual;
}

double primal_of(const std::vector<ExplicitBlock>& blocks, const Vector& w, double lambda) {
  double sum = 0.0;
  for (const ExplicitBlock& block : blocks) sum += violation_of(worst_of(block, w), w);
  return 0.5 * lambda * testing::dot(w, w) + sum / static_cast<double>(blocks.size());
}

/// The plane of one corner per block: the mean of their psi and losses.
ExplicitCorner plane_of(const std::vector<ExplicitCorner>& corners) {
  ExplicitCorner mean{Vector(corners.front().psi.size(), 0.0), 0.0};
  const auto n = static_cast<double>(corners.size());
  for (const ExplicitCorner& corner : corners) {
    for (std::size_t j = 0; j < mean.psi.size(); ++j) mean.psi[j] += corner.psi[j] / n;
    mean.loss += corner.loss / n;
  }
  return mean;
}

std::vector<ExplicitCorner> worst_corners(const std::vector<ExplicitBlock>& blocks,
                                          const Vector& w) {
  std::vector<ExplicitCorner> all;
  for (const ExplicitBlock& block : blocks) all.push_back(worst_of(block, w));
  return all;
}

constexpr double kLambda = 0.3;

/// `planes` is a problem of one block whose corners are the planes, the plane 0 first: its optimum
/// is that of the master.
void expect_master_is_solved(const SolverBench& bench, const ExplicitBlock& planes,
                             double tolerance) {
  const double best = optimum({planes}, kLambda, bench.options.nonnegative);
  ASSERT_LE(bench.solver->dual(), best + kSlack);
  ASSERT_GE(bench.solver->dual(), best - tolerance - kSlack);
}

double excess_of(const ExplicitCorner& plane, const ExplicitBlock& planes, const Vector& w) {
  return violation_of(plane, w) - violation_of(worst_of(planes, w), w);
}

/// Without a constraint, and with no weight below 0.
class PlaneTwins : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Constraints, PlaneTwins, ::testing::Values("", "all"),
                         [](const auto& of) { return of.param.empty() ? "none" : "all"; });

TEST_P(PlaneTwins, BmrmTakesInThePlaneAtEachMinimumAndReturnsTheBestWeightsSoFar) {
  const std::size_t d = 5;
  const auto blocks = testing::random_corners(6, 8, d, 1);
  Vector w;  // where the oracle was asked
  const auto problem =
      testing::explicit_problem(blocks, [&](Weights at) { w.assign(at.begin(), at.end()); });
  SolverBench bench(*problem, options_of("bmrm", kLambda, GetParam()));
  ExplicitBlock planes{{Vector(d, 0.0), 0.0}};
  Vector best_w(d, 0.0);
  double tolerance = 0.0;
  for (int k = 0; k < 25; ++k) {
    const Measurement measured = bench.solver->gap_pass();
    const double model = 0.5 * kLambda * testing::dot(w, w) + violation_of(worst_of(planes, w), w);
    ASSERT_LE(model, optimum({planes}, kLambda, GetParam()) + tolerance + kSlack)
        << "not the minimum, " << k;
    if (primal_of(blocks, w, kLambda) < primal_of(blocks, best_w, kLambda)) best_w = w;
    ASSERT_EQ(bench.w(), best_w) << "iteration " << k;
    ASSERT_NEAR(measured.primal, primal_of(blocks, best_w, kLambda), 1e-12) << "iteration " << k;
    const ExplicitCorner plane = plane_of(worst_corners(blocks, w));
    tolerance = 0.01 * excess_of(plane, planes, w);
    planes.push_back(plane);
    ASSERT_TRUE(bench.solver->step()) << "every plane is one of the oracle";
    expect_master_is_solved(bench, planes, tolerance);
    if (HasFatalFailure()) return;
  }
  EXPECT_NEAR(bench.solver->gap_pass().primal, optimum(blocks, kLambda, GetParam()), 1e-6);
}

/// The last outputs of one block, most recently used last.
struct Memory {
  void use(const ExplicitCorner& corner) {
    if (corner.loss == 0.0) return;  // the truth is always there
    std::erase_if(outputs, [&](const ExplicitCorner& old) { return old.psi == corner.psi; });
    outputs.push_back(corner);
    if (outputs.size() > 5) outputs.erase(outputs.begin());
  }
  std::vector<ExplicitCorner> outputs;
};

TEST_P(PlaneTwins, OneSlackTakesInPlanesOfTheOracleAndWorthwhileOnesOfRememberedOutputs) {
  const std::size_t d = 5;
  const auto blocks = testing::random_corners(7, 12, d, 2);
  const auto problem = testing::explicit_problem(blocks);
  SolverBench bench(*problem, options_of("one-slack", kLambda, GetParam()));
  ExplicitBlock planes{{Vector(d, 0.0), 0.0}};
  std::vector<Memory> memories(blocks.size());
  double last_excess = 0.0;
  int cached = 0;
  for (int k = 0; k < 25; ++k) {
    bool is_pass_end = false;
    for (int round = 0; !is_pass_end; ++round) {
      const Vector w = bench.w();
      std::vector<ExplicitCorner> corners;
      if (round == 0) {
        corners = worst_corners(blocks, w);
        for (std::size_t i = 0; i < blocks.size(); ++i) memories[i].use(corners[i]);
      } else {
        ++cached;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
          ExplicitBlock known{blocks[i].front()};
          for (const ExplicitCorner& corner : memories[i].outputs) known.push_back(corner);
          corners.push_back(worst_of(known, w));
        }
      }
      const ExplicitCorner plane = plane_of(corners);
      const double excess = excess_of(plane, planes, w);
      if (round == 0) last_excess = excess;
      ASSERT_GE(excess, 0.5 * last_excess - 1e-9) << "not worth a plane";
      planes.push_back(plane);
      is_pass_end = bench.solver->step();
      expect_master_is_solved(bench, planes, 0.01 * excess);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(cached, 0);
  EXPECT_EQ(bench.solver->cached_steps() % problem->num_blocks(), 0);
  EXPECT_NEAR(bench.solver->dual(), optimum(blocks, kLambda, GetParam()), 1e-6);
}

TEST(CuttingPlanes, PlanesStayWithinTheirBoundAndTheRunConvergesAllTheSame) {
  const auto problem =
      testing::random_chains({.sequences = 15, .labels = 4, .max_length = 5, .seed = 2}).problem;
  for (const std::string solver : {"one-slack", "bmrm"}) {
    TrainOptions options = options_of(solver, 0.05);
    options.max_planes = 3;
    SolverBench bench(*problem, options);
    double before = 0.0;
    for (int k = 0; k < 200; ++k) {
      bench.solver->step();
      ASSERT_GE(bench.solver->dual(), before - 1e-12) << solver << ", step " << k;
      before = bench.solver->dual();
      const int planes = std::stoi(bench.solver->decision());
      ASSERT_LE(planes, 3);
    }
    options.relative_gap = 0.05;
    options.max_passes = 20'000;
    EXPECT_EQ(train(*problem, options).reason, StopReason::kConverged) << solver;
  }
}

TEST_P(PlaneTwins, NSlackSolvesTheDualOverTheOutputsThatViolateMoreThanEpsilon) {
  const std::size_t d = 6;
  const auto blocks = testing::random_corners(10, 15, d, 3);
  const auto problem = testing::explicit_problem(blocks);
  SolverBench bench(*problem, options_of("cutting-plane", kLambda, GetParam()));
  std::vector<ExplicitBlock> working;
  for (const ExplicitBlock& block : blocks) working.push_back({block.front()});
  double epsilon = 0.0;
  for (int pass = 0; pass < 25; ++pass) {
    const Vector w = bench.w();
    double largest = 0.0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const ExplicitCorner& found = worst_of(blocks[i], w);
      const double excess = violation_of(found, w) - violation_of(worst_of(working[i], w), w);
      largest = std::max(largest, excess);
      if (excess > epsilon) working[i].push_back(found);
      ASSERT_EQ(bench.w(), w) << "nothing moves before the pass is over";
      ASSERT_EQ(bench.solver->step(), i + 1 == blocks.size());
    }
    const double best = optimum(working, kLambda, GetParam());
    const double tolerance = 0.1 * std::max(epsilon, 0.5 * largest);
    ASSERT_LE(bench.solver->dual(), best + kSlack) << "pass " << pass;
    ASSERT_GE(bench.solver->dual(), best - tolerance - kSlack) << "pass " << pass;
    epsilon = 0.5 * largest;
  }
  EXPECT_NEAR(bench.solver->dual(), optimum(blocks, kLambda, GetParam()), 1e-5);
}

TEST(CuttingPlanes, CachedPlanesSaveOracleCalls) {
  const auto problem =
      testing::random_chains({.sequences = 40, .labels = 5, .max_length = 6, .seed = 9}).problem;
  const auto calls_of = [&](const std::string& solver) {
    TrainOptions options = options_of(solver, 0.02);
    options.relative_gap = 0.001;
    options.max_passes = 10'000;
    const Report report = train(*problem, options);
    EXPECT_EQ(report.reason, StopReason::kConverged) << solver;
    return report.progress.oracle_calls;
  };
  EXPECT_LT(calls_of("one-slack"), calls_of("bmrm"));
}

}  // namespace
}  // namespace gapwise::internal
