// A problem in the coordinates of a linear kernel is the linear problem itself, but its weights are
// not plain: |w|^2 is no sum of squares. Every solver trains it as it trains the linear one, or
// refuses it.

#include <gtest/gtest.h>

#include <set>

#include "core/delayed_problem.h"
#include "core/kernel_problem.h"
#include "solve/training.h"
#include "support/primal.h"
#include "support/problems.h"
#include "support/run_options.h"

namespace gapwise::internal {
namespace {

TrainOptions options_of(std::string_view solver) {
  TrainOptions options = testing::options_for(solver, 0.05);
  options.max_passes = 6;
  options.gap_every = 2;
  return options;
}

class Recorder : public Observer {
 public:
  void on_measure(const Progress& now, Weights w) override {
    seen.push_back(now);
    weights.emplace_back(w.begin(), w.end());
  }
  std::vector<Progress> seen;
  std::vector<std::vector<double>> weights;
};

/// Certificates agree with those of the linear run and with the definition of the primal.
void expect_same_certificates(const Problem& linear, const Problem& kernel,
                              const TrainOptions& options, const std::string& name) {
  Recorder expected;
  train(linear, options, expected);
  Recorder found;
  train(kernel, options, found);
  ASSERT_EQ(found.seen.size(), expected.seen.size()) << name;
  ASSERT_FALSE(found.seen.empty()) << name;
  const Objective objective = solver_info(options.solver).objective;
  for (std::size_t k = 0; k < found.seen.size(); ++k) {
    const double primal = *found.seen[k].primal;
    EXPECT_NEAR(primal, *expected.seen[k].primal, 1e-9) << name;
    EXPECT_NEAR(primal, testing::primal_at(kernel, 0.05, found.weights[k], objective), 1e-9)
        << name;
    EXPECT_EQ(found.seen[k].is_certified, expected.seen[k].is_certified) << name;
    if (!expected.seen[k].has_dual()) continue;
    EXPECT_NEAR(found.seen[k].dual, expected.seen[k].dual, 1e-9) << name;
  }
}

bool is_refused(const Problem& problem, const TrainOptions& options) {
  try {
    Training(problem, options);
    return false;
  } catch (const OptionError& error) {
    return std::string(error.what()).find("which this problem does not offer") != std::string::npos;
  }
}

/// The solvers that work on plain weights only, and those that need what kernel coordinates lack.
const std::set<std::string_view>& refusing() {
  static const std::set<std::string_view> names{
      "auto",      "fw",          "bcpfw",     "bcafw",         "mpbcfw",        "sdm",
      "fasole",    "kernel-bcfw", "eg",        "excessive-gap", "extragradient", "cutting-plane",
      "one-slack", "bmrm",        "soft-bcfw", "gdmm",          "dlpw",          "smooth-dlpw"};
  return names;
}

std::vector<std::unique_ptr<Problem>> linear_problems() {
  std::vector<std::unique_ptr<Problem>> all;
  all.push_back(testing::random_chains({.sequences = 12, .labels = 4, .seed = 3}).problem);
  all.push_back(testing::random_classes({.examples = 20, .has_costs = true, .seed = 6}).problem);
  return all;
}

TEST(KernelCoordinates, EverySolverCertifiesAsOnTheLinearProblemOrRefuses) {
  for (const auto& linear : linear_problems()) {
    const KernelProblem kernel(*linear, {});
    for (const SolverInfo& solver : solvers()) {
      const TrainOptions options = options_of(solver.name);
      const std::string name(solver.name);
      ASSERT_EQ(is_refused(kernel, options), refusing().contains(solver.name)) << name;
      if (refusing().contains(solver.name)) continue;
      expect_same_certificates(*linear, kernel, options, name);
      if (!has_option(solver, "average")) continue;
      TrainOptions averaged = options;
      averaged.average = Average::kWeighted;
      expect_same_certificates(*linear, kernel, averaged, name + " weighted");
    }
  }
}

TEST(KernelCoordinates, OptionsThatNeedPlainWeightsAreRefused) {
  const auto linear = testing::random_chains({.seed = 3}).problem;
  const KernelProblem kernel(*linear, {});
  TrainOptions options = options_of("bcfw");
  EXPECT_FALSE(is_refused(kernel, options));
  options.nonnegative = "all";
  EXPECT_TRUE(is_refused(kernel, options));
  options.nonnegative = "";
  options.cache = 5;
  EXPECT_TRUE(is_refused(kernel, options));
}

TEST(KernelCoordinates, ADelayHidesNoCapability) {
  const auto linear = testing::random_chains({.seed = 3}).problem;
  const auto slow = make_delayed_problem(*linear, 0.001);
  for (const Capability capability : {Capability::kPlainWeights, Capability::kExpectations,
                                      Capability::kMeans, Capability::kKernelInputs}) {
    EXPECT_TRUE(offers(*slow, capability)) << name_of(capability);
  }
  const KernelProblem kernel(*slow, {});
  EXPECT_FALSE(offers(kernel, Capability::kPlainWeights));
  EXPECT_FALSE(offers(*make_delayed_problem(kernel, 0.001), Capability::kPlainWeights));
  EXPECT_GT(kernel.oracle_cost(), KernelProblem(*linear, {}).oracle_cost());
}

}  // namespace
}  // namespace gapwise::internal
