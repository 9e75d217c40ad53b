// The online methods, step by step against their updates written out with dense vectors and all
// iterates kept.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "gapwise/train.h"
#include "solve/online/scaled_iterate.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;
using Vector = std::vector<double>;

/// One example at a time at weights that are what they are: no scale, no parts, no laziness.
class SlowOracle {
 public:
  explicit SlowOracle(const Problem& problem) : problem_(problem), oracle_(problem.make_oracle()) {}

  void find(Index i, const Vector& w, Augment augment) {
    oracle_->score(i, w, theta_);
    oracle_->decode(i, theta_, augment, corner_);
    psi.assign(w.size(), 0.0);
    oracle_->scatter(i, corner_.parts, 1.0, psi);
    loss = corner_.loss;
  }
  double primal(const Vector& w, double lambda) {
    double sum = 0.0;
    for (Index i = 0; i < problem_.num_blocks(); ++i) {
      find(i, w, Augment::kLoss);
      sum += loss - testing::dot(w, psi);
    }
    return 0.5 * lambda * testing::dot(w, w) + sum / static_cast<double>(problem_.num_blocks());
  }

  Vector psi;
  double loss = 0.0;

 private:
  const Problem& problem_;
  std::unique_ptr<Oracle> oracle_;
  PartScores theta_;
  Corner corner_;
};

void add(Vector& w, double scale, const Vector& change) {
  for (std::size_t j = 0; j < w.size(); ++j) w[j] += scale * change[j];
}

/// sum of weights[t] * iterates[t] over the sum of the weights.
Vector mean(const std::vector<Vector>& iterates, const Vector& weights) {
  Vector sum(iterates.front().size(), 0.0);
  double total = 0.0;
  for (std::size_t t = 0; t < iterates.size(); ++t) {
    add(sum, weights[t], iterates[t]);
    total += weights[t];
  }
  for (double& x : sum) x /= total;
  return sum;
}

/// The average over iterates[1..k]; iterates[0] is the start.
Vector average_of(Average kind, const std::vector<Vector>& iterates, Index n) {
  const auto k = static_cast<Index>(iterates.size()) - 1;
  if (kind == Average::kNone) return iterates.back();
  Index start = 0;
  if (kind == Average::kSuffix) {
    for (Index restart = n; restart < k; restart *= 2) start = restart;
  }
  Vector weights(iterates.size(), 0.0);
  for (Index t = start + 1; t <= k; ++t) {
    weights[static_cast<std::size_t>(t)] =
        kind == Average::kWeighted ? static_cast<double>(t) : 1.0;
  }
  return mean(iterates, weights);
}

void expect_near(const Vector& found, const Vector& expected, const std::string& where,
                 double tolerance = 1e-10) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t j = 0; j < found.size(); ++j) {
    ASSERT_NEAR(found[j], expected[j], tolerance * std::max(1.0, std::abs(expected[j])))
        << where << ", weight " << j;
  }
}

struct Case {
  std::unique_ptr<Problem> problem;
  std::string nonnegative;  ///< a group of weights, or none

  /// Sets weights of the group that are negative to 0.
  void project(Vector& w) const {
    for (const WeightGroup& group : problem->weight_groups()) {
      if (group.name != nonnegative) continue;
      for (auto j = static_cast<std::size_t>(group.begin); j < static_cast<std::size_t>(group.end);
           ++j) {
        w[j] = std::max(0.0, w[j]);
      }
    }
  }
};

/// Without ties, which rounding would break one way or the other.
std::vector<Case> cases() {
  std::vector<Case> all;
  const testing::ChainSpec chains{.labels = 4, .inputs = testing::Inputs::kReal, .seed = 3};
  all.push_back({testing::explicit_problem(testing::random_corners(7, 6, 4, 1)), ""});
  all.push_back({testing::random_chains(chains).problem, ""});
  all.push_back({testing::random_chains(chains).problem, "transitions"});
  all.push_back({testing::random_chains(chains).problem, "all"});
  all.push_back({testing::random_chains(
                     {.inputs = testing::Inputs::kReal, .variant = {Rescaling::kSlack}, .seed = 7})
                     .problem,
                 ""});
  return all;
}

TrainOptions cyclic(const std::string& solver, Lambda lambda, const std::string& nonnegative = "") {
  TrainOptions options;
  options.solver = solver;
  options.nonnegative = nonnegative;
  options.sampling = Sampling::kCyclic;
  options.lambda = lambda;
  options.threads = 1;
  return options;
}

Vector mean_of_all(const std::vector<Vector>& iterates) {
  return mean(iterates, Vector(iterates.size(), 1.0));
}

/// Steps the solver beside update(w, i, k), which is its step k at example i written out; what the
/// solver returns is average(iterates), the start being the first of them.
template <class Update, class AverageOf>
void expect_follows(SolverBench& bench, const Case& given, Index steps, Update update,
                    AverageOf average) {
  const Index n = given.problem->num_blocks();
  std::vector<Vector> iterates{Vector(static_cast<std::size_t>(given.problem->dimension()))};
  for (Index k = 0; k < steps; ++k) {
    Vector w = iterates.back();
    update(w, k % n, k);
    given.project(w);
    iterates.push_back(w);
    bench.solver->step();
    expect_near(bench.w(), average(iterates), "step " + std::to_string(k));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// Steps of a solver that changes the weights by change(w, slow), where `slow` has found the output
/// without the loss, and returns the average of all iterates.
void expect_corrects(const std::string& solver, auto change) {
  for (const Case& given : cases()) {
    SolverBench bench(*given.problem, cyclic(solver, {}, given.nonnegative));
    SlowOracle slow(*given.problem);
    const auto update = [&](Vector& w, Index i, Index) {
      slow.find(i, w, Augment::kNone);
      change(w, slow);
    };
    expect_follows(bench, given, 60, update, mean_of_all);
  }
}

TEST(Online, PerceptronAddsThePsiOfWrongOutputsAndReturnsTheAverageOfAllIterates) {
  expect_corrects("perceptron", [](Vector& w, const SlowOracle& slow) { add(w, 1.0, slow.psi); });
}

TEST(Online, MiraMakesTheSmallestChangeThatSeparatesTheWrongOutputByItsLoss) {
  expect_corrects("mira", [](Vector& w, const SlowOracle& slow) {
    const double missing = slow.loss - testing::dot(w, slow.psi);
    const double length = testing::dot(slow.psi, slow.psi);
    if (length == 0.0 || missing <= 0.0) return;
    add(w, missing / length, slow.psi);
    EXPECT_NEAR(testing::dot(w, slow.psi), slow.loss, 1e-9);
  });
}

constexpr std::array kAverages{Average::kNone, Average::kUniform, Average::kWeighted,
                               Average::kSuffix};

/// Calls `check` with each case and the options of a run under each average.
void for_each_average(const std::string& solver, Lambda lambda, auto check) {
  for (const Case& given : cases()) {
    for (const Average kind : kAverages) {
      TrainOptions options = cyclic(solver, lambda, given.nonnegative);
      options.average = kind;
      check(given, options);
    }
  }
}

TEST(Online, SsgTakesThePegasosStepUnderEveryAverage) {
  for_each_average("ssg", {0.7, true}, [](const Case& given, const TrainOptions& options) {
    const Index n = given.problem->num_blocks();
    SolverBench bench(*given.problem, options);
    SlowOracle slow(*given.problem);
    const double lambda = 0.7 / static_cast<double>(n);
    const auto update = [&](Vector& w, Index i, Index k) {
      slow.find(i, w, Augment::kLoss);
      const double gamma = 1.0 / static_cast<double>(k + 1);
      for (double& x : w) x *= 1.0 - gamma;
      add(w, gamma / lambda, slow.psi);
    };
    expect_follows(bench, given, 10 * n, update, [&](const std::vector<Vector>& iterates) {
      return average_of(options.average, iterates, n);
    });
  });
}

struct SlowSgd {
  SlowSgd(const Case& of, double with, Decay decay)
      : given(of),
        problem(*of.problem),
        slow(problem),
        lambda(with),
        rate(decay == Decay::kLambda ? with : with * static_cast<double>(problem.num_blocks())) {}

  void step(Vector& w, Index i, double eta0, Index k) {
    slow.find(i, w, Augment::kLoss);
    const double eta = eta0 / std::pow(1.0 + rate * eta0 * static_cast<double>(k), 0.75);
    for (double& x : w) x -= eta * lambda * x;
    add(w, eta, slow.psi);
    given.project(w);
  }

  /// One pass in the order given for each first step; the lowest primal wins.
  double pick(const std::vector<Index>& order) {
    double best = 0.0;
    double lowest = 1e300;
    for (const double eta0 : {0.5, 0.25, 0.125, 0.0625, 0.03125}) {
      Vector w(static_cast<std::size_t>(problem.dimension()));
      for (std::size_t k = 0; k < order.size(); ++k) step(w, order[k], eta0, static_cast<Index>(k));
      const double primal = slow.primal(w, lambda);
      if (primal < lowest) best = eta0;
      lowest = std::min(lowest, primal);
    }
    return best;
  }

  const Case& given;
  const Problem& problem;
  SlowOracle slow;
  double lambda;
  double rate;
};

void expect_follows_sgd(const Case& given, TrainOptions options, Decay decay) {
  options.decay = decay;
  const Index n = given.problem->num_blocks();
  SolverBench bench(*given.problem, options);
  SlowSgd slow(given, 0.2, decay);
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  Rng(options.seed).shuffle(std::span(order));
  const double eta0 = slow.pick(order);
  const auto update = [&](Vector& w, Index i, Index k) { slow.step(w, i, eta0, k); };
  expect_follows(bench, given, 10 * n, update, [&](const std::vector<Vector>& iterates) {
    return average_of(options.average, iterates, n);
  });
  EXPECT_EQ(bench.solver->decision(), "eta0 " + detail::show_number(eta0));
}

TEST(Online, SgdPicksItsFirstStepAndFollowsTheScheduleUnderEveryAverage) {
  for_each_average("sgd", {0.2, false}, [](const Case& given, const TrainOptions& options) {
    for (const Decay decay : {Decay::kLambda, Decay::kLambdaN}) {
      expect_follows_sgd(given, options, decay);
    }
  });
}

TEST(Online, MethodsWithoutABoundEndOnTheirBudgetWithAPrimalAndNoCertificate) {
  const auto problem = testing::random_chains({.seed = 3}).problem;
  for (const std::string solver : {"perceptron", "mira", "ssg", "sgd"}) {
    TrainOptions options = cyclic(solver, {});
    options.max_passes = 12;
    const Report report = train(*problem, options);
    EXPECT_EQ(report.reason, StopReason::kMaxPasses) << solver;
    EXPECT_FALSE(report.progress.is_certified) << solver;
    EXPECT_FALSE(report.progress.has_dual()) << solver;
    ASSERT_TRUE(report.progress.primal) << solver;
    const double lambda = 1.0 / static_cast<double>(problem->num_blocks());
    EXPECT_NEAR(*report.progress.primal, SlowOracle(*problem).primal(report.w, lambda), 1e-12);
  }
}

TEST(Online, PlainDecodesCountAsOracleCalls) {
  const auto problem = testing::random_chains({.sequences = 8, .seed = 3}).problem;
  SolverBench bench(*problem, cyclic("perceptron", {}));
  for (int k = 0; k < 20; ++k) bench.solver->step();
  EXPECT_EQ(bench.team.calls(), 20);
}

TEST(Online, SamplingByGapsNeedsADual) {
  const auto problem = testing::golden_g1();
  TrainOptions options;
  options.solver = "ssg";
  options.sampling = Sampling::kGap;
  EXPECT_THROW(train(*problem, options), OptionError);
}

TEST(Online, SubgradientMethodsComeNearTheOptimum) {
  const auto problem = testing::random_chains({.sequences = 20, .labels = 4, .seed = 3}).problem;
  TrainOptions options = cyclic("bcpfw", {1.0, true});
  options.relative_gap = 1e-6;
  options.max_passes = 10'000;
  const double optimum = *train(*problem, options).progress.primal;
  options = cyclic("ssg", {1.0, true});
  options.average = Average::kWeighted;
  options.sampling = Sampling::kUniform;
  options.max_passes = 2000;
  EXPECT_LE(*train(*problem, options).progress.primal, 1.01 * optimum);
}

/// Weights whose scale is folded in many times, against those that are multiplied out.
TEST(ScaledIterate, KeepsWeightsAndAveragesWhenTheScaleLeavesItsRange) {
  const auto problem = testing::random_chains({.seed = 5}).problem;
  const auto oracle = problem->make_oracle();
  const Index n = problem->num_blocks();
  for (const Average kind : kAverages) {
    ScaledIterate lazy(kind, n, problem->dimension());
    std::vector<Vector> iterates{Vector(static_cast<std::size_t>(problem->dimension()))};
    SlowOracle slow(*problem);
    Rng rng(1);
    PartScores theta;
    Corner corner;
    for (Index k = 0; k < 50; ++k) {
      const double factor = k % 7 == 3 ? 0.0 : k % 3 == 0 ? 1e-6 : k % 5 == 0 ? -100.0 : 0.5;
      const Index i = rng.below(n);
      const auto any = testing::random_weights(problem->dimension(), rng, false);
      oracle->score(i, any, theta);
      oracle->decode(i, theta, Augment::kLoss, corner);
      Vector w = iterates.back();
      for (double& x : w) x *= factor;
      oracle->scatter(i, corner.parts, 0.25, w);
      iterates.push_back(w);
      lazy.shrink(factor);
      lazy.add(*oracle, i, corner.parts, 0.25);
      lazy.end_step();
      Vector found;
      lazy.result(found);
      expect_near(found, average_of(kind, iterates, n), "step " + std::to_string(k), 1e-8);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace gapwise::internal
