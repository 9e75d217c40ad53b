// What every solver of the registry promises on every kind of problem. A new solver is covered by
// being registered.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "solve/training.h"
#include "support/graph_problem.h"
#include "support/problems.h"
#include "support/refusals.h"
#include "support/solver_bench.h"
#include "support/stop_after_steps.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;
using testing::StopAfterSteps;

struct Variant {
  TrainOptions options;
  std::string name;
};

/// Whether every option of `options` that is not the default is one of the solver.
bool means_something(const TrainOptions& options) {
  const SolverInfo& solver = solver_info(options.solver);
  const auto defaults = values_of(TrainOptions());
  const auto values = values_of(options);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] != defaults[k] && !has_option(solver, values[k].first)) return false;
  }
  return allows(solver, options.sampling);
}

void add_if_it_fits(const Problem& problem, const Variant& variant, std::vector<Variant>& all) {
  if (testing::may_refuse(variant.options.solver, problem)) return;
  if (means_something(variant.options)) all.push_back(variant);
}

/// The options of solvers that remember outputs.
void add_with_memory(const Problem& problem, Variant variant, std::vector<Variant>& all) {
  const std::string name = variant.name;
  variant.options.cache = 20;
  variant.name = name + " cache";
  add_if_it_fits(problem, variant, all);
  variant.options.max_active = 3;
  variant.options.cache = 0;
  variant.name = name + " max-active 3";
  add_if_it_fits(problem, variant, all);
  variant.options.inner_steps = 6;
  variant.name = name + " max-active 3 inner-steps 6";
  add_if_it_fits(problem, variant, all);
}

/// Every solver that can train `problem`, with every option that it takes.
std::vector<Variant> variants(const Problem& problem) {
  std::vector<Variant> all;
  for (const SolverInfo& solver : solvers()) {
    for (const Step step : {Step::kLineSearch, Step::kFixed}) {
      for (const Average average :
           {Average::kNone, Average::kUniform, Average::kWeighted, Average::kSuffix}) {
        for (const Sampling sampling :
             {Sampling::kPermutation, Sampling::kUniform, Sampling::kCyclic, Sampling::kGap}) {
          Variant variant;
          variant.options.solver = solver.name;
          variant.options.step = step;
          variant.options.average = average;
          variant.options.sampling = sampling;
          variant.options.lambda = Lambda::over_n(0.5);
          variant.options.threads = 1;
          variant.name = std::string(solver.name) + " " + std::string(name_of(step)) + " " +
                         std::string(name_of(average)) + " " + std::string(name_of(sampling));
          add_if_it_fits(problem, variant, all);
          if (step == Step::kLineSearch && average == Average::kNone) {
            add_with_memory(problem, variant, all);
          }
        }
      }
    }
  }
  return all;
}

std::vector<std::unique_ptr<Problem>> problems() {
  std::vector<std::unique_ptr<Problem>> all;
  all.push_back(testing::golden_g1());
  all.push_back(testing::random_chains({.sequences = 12, .labels = 4, .seed = 3}).problem);
  all.push_back(testing::random_chains({.edge_attributes = 2, .seed = 4}).problem);
  all.push_back(testing::random_chains({.sequences = 1, .max_length = 1, .seed = 5}).problem);
  all.push_back(testing::random_chains({.variant = {Rescaling::kSlack}, .seed = 7}).problem);
  all.push_back(testing::random_chains({.variant = {.order = 2}, .seed = 9}).problem);
  all.push_back(testing::random_chains({.labels = 5,
                                        .variant = {.segments = testing::bio_segments(2, 2)},
                                        .segment_attributes = 3,
                                        .seed = 10})
                    .problem);
  all.push_back(testing::random_classes({.has_costs = true, .seed = 6}).problem);
  // Without cycles, so that nothing is relaxed and all solvers have the same optimum.
  all.push_back(
      testing::random_graphs({.variables = 3, .most_states = 3, .is_forest = true, .seed = 8}));
  return all;
}

/// The refusals that are listed happen, and no others.
TEST(SolverLaws, SolversRefuseWhatIsListedAndNothingElse) {
  std::set<testing::Refusal> seen;
  for (const auto& problem : problems()) {
    for (const SolverInfo& solver : solvers()) {
      TrainOptions options;
      options.solver = solver.name;
      options.threads = 1;
      if (!testing::may_refuse(solver.name, *problem)) {
        EXPECT_NO_THROW(Training(*problem, options)) << solver.name;
        continue;
      }
      EXPECT_THROW(Training(*problem, options), OptionError) << solver.name;
      for (const testing::Refusal& refusal : testing::refusals()) {
        if (refusal.first == solver.name) seen.insert(refusal);
      }
    }
  }
  EXPECT_EQ(seen.size(), testing::refusals().size());
}

/// An option that is not in a solver's list is refused by it, and one that is in it is not.
TEST(SolverLaws, OptionsAreRefusedWhereTheyMeanNothing) {
  const auto chains = testing::random_chains({.seed = 3}).problem;
  const auto graphs = testing::random_graphs({.seed = 3});
  for (const SolverInfo& solver : solvers()) {
    const Problem* const problem =
        testing::may_refuse(solver.name, *chains) ? graphs.get() : chains.get();
    for (const auto& [name, value] : values_of(TrainOptions())) {
      TrainOptions options;
      set_option(options, "solver", solver.name);
      if (name == "solver" || value.empty()) continue;
      set_option(options, name, value);
      if (has_option(solver, name)) {
        EXPECT_NO_THROW(Training(*problem, options)) << solver.name << " --" << name;
      } else {
        EXPECT_THROW(Training(*problem, options), OptionError) << solver.name << " --" << name;
      }
    }
  }
}

bool is_monotone(const TrainOptions& options) {
  return options.step == Step::kLineSearch && solver_info(options.solver).is_monotone;
}

TEST(SolverLaws, DualNeverFallsUnderLineSearchAndNeverExceedsAnyPrimal) {
  for (const auto& problem : problems()) {
    for (const Variant& variant : variants(*problem)) {
      // What cutting-plane solves to its last digits moves by 1e-10 on graphs with many ties.
      if (problem->factor_graphs() != nullptr && variant.options.solver == "cutting-plane")
        continue;
      SolverBench bench(*problem, variant.options);
      const bool has_dual = solver_info(variant.options.solver).has_dual;
      double least_primal = 1e300;
      double before = bench.solver->dual();
      for (int k = 0; k < 150; ++k) {
        bench.solver->step();
        const double after = bench.solver->dual();
        ASSERT_EQ(std::isfinite(after), has_dual) << variant.name;
        if (has_dual && is_monotone(variant.options)) {
          ASSERT_GE(after, before - 1e-12 * std::max(1.0, std::abs(before)))
              << variant.name << ", step " << k;
        }
        before = after;
        if (k % 10 == 0) {
          const Measurement measured = bench.solver->gap_pass();
          ASSERT_EQ(measured.is_certified, has_dual) << variant.name;
          ASSERT_GE(measured.primal, measured.dual - 1e-12) << variant.name;
          least_primal = std::min(least_primal, measured.primal);
        }
        ASSERT_LE(after, least_primal + 1e-12) << variant.name;
      }
    }
  }
}

TEST(SolverLaws, MeasuringTwiceGivesTheSameBits) {
  for (const auto& problem : problems()) {
    for (const Variant& variant : variants(*problem)) {
      SolverBench bench(*problem, variant.options);
      for (int k = 0; k < 40; ++k) bench.solver->step();
      const Measurement first = bench.solver->gap_pass();
      const std::vector<double> w = bench.w();
      const Measurement second = bench.solver->gap_pass();
      EXPECT_EQ(first.primal, second.primal) << variant.name;
      EXPECT_EQ(first.dual, second.dual) << variant.name;
      EXPECT_EQ(w, bench.w()) << variant.name;
    }
  }
}

/// primal - dual of a measurement against both written out from their definitions.
TEST(SolverLaws, PrimalIsTheObjectiveAtTheReturnedWeights) {
  for (const auto& problem : problems()) {
    for (const Variant& variant : variants(*problem)) {
      SolverBench bench(*problem, variant.options);
      const auto oracle = bench.problem.make_oracle();
      for (int k = 0; k < 60; ++k) bench.solver->step();
      const Measurement measured = bench.solver->gap_pass();
      const std::vector<double> w = bench.w();
      const double lambda = variant.options.lambda.resolve(problem->num_blocks());
      const bool is_squared = solver_info(variant.options.solver).objective == Objective::kL2;
      double primal = 0.5 * lambda * oracle->squared_length(w);
      PartScores theta;
      Corner corner;
      for (Index i = 0; i < problem->num_blocks(); ++i) {
        oracle->argmax(i, w, theta, corner);
        const double h = violation(corner.loss, corner.parts, theta);
        primal += (is_squared ? h * h : h) / static_cast<double>(problem->num_blocks());
      }
      const double rounding = 1e-12 * std::max(1.0, primal);
      EXPECT_GE(measured.primal, primal - rounding) << variant.name;
      if (testing::is_factorwise(variant.options.solver)) continue;  // has bounds only
      EXPECT_LE(measured.primal, primal + rounding) << variant.name;
    }
  }
}

/// What a variant reaches in reasonable time: Frank-Wolfe steps alone need O(1 / gap) passes, and
/// so do blocks that may not keep all their corners. Where every output always has some weight the
/// end is slow too, and slowest by subgradient steps.
double tolerance_for(const TrainOptions& options) {
  if (options.solver == "dlpw" || options.solver == "smooth-dlpw") return 0.1;
  if (options.step == Step::kFixed || options.solver == "fw") return 0.1;
  for (const std::string_view dense : {"eg", "excessive-gap", "extragradient"}) {
    if (options.solver == dense) return options.average == Average::kNone ? 1e-3 : 2e-2;
  }
  const bool keeps_corners =
      options.solver != "bcfw" && options.solver != "kernel-bcfw" && options.solver != "soft-bcfw";
  return keeps_corners && options.average == Average::kNone && options.max_active > 3 ? 1e-6 : 2e-2;
}

TEST(SolverLaws, EveryVariantFindsTheSameOptimum) {
  for (const auto& problem : problems()) {
    std::map<Objective, double> lowers;
    std::map<Objective, double> uppers;
    for (Variant variant : variants(*problem)) {
      const SolverInfo& solver = solver_info(variant.options.solver);
      if (!solver.has_dual) continue;
      double& lower = lowers.try_emplace(solver.objective, -1e300).first->second;
      double& upper = uppers.try_emplace(solver.objective, 1e300).first->second;
      variant.options.relative_gap = tolerance_for(variant.options);
      variant.options.max_passes = 400'000;
      const Report report = train(*problem, variant.options);
      EXPECT_EQ(report.reason, StopReason::kConverged) << variant.name;
      lower = std::max(lower, report.progress.dual);
      upper = std::min(upper, *report.progress.primal);
      EXPECT_LE(lower, upper + 1e-12) << variant.name;
      if (*variant.options.relative_gap <= 1e-6) {
        EXPECT_NEAR(*report.progress.primal, lower, 1e-5 * std::max(1.0, lower)) << variant.name;
      }
    }
  }
}

TEST(SolverLaws, EverySolverWithADualEndsWithinTheSame1e5OnARandomSmallChain) {
  const auto problem =
      testing::random_chains({.sequences = 6, .labels = 3, .max_length = 3, .seed = 11}).problem;
  for (const Objective objective : {Objective::kL1, Objective::kL2}) {
    double lower = -1e300;
    double upper = 1e300;
    for (const SolverInfo& solver : solvers()) {
      if (!solver.has_dual || solver.objective != objective) continue;
      if (testing::may_refuse(solver.name, *problem)) continue;
      TrainOptions options;
      options.solver = solver.name;
      options.lambda = Lambda::over_n(0.5);
      options.threads = 1;
      options.gap = 1e-5;
      options.gap_every = 100;
      options.max_passes = 4'000'000;
      const Report report = train(*problem, options);
      EXPECT_EQ(report.reason, StopReason::kConverged) << solver.name;
      lower = std::max(lower, report.progress.dual);
      upper = std::min(upper, *report.progress.primal);
      EXPECT_LE(lower, upper + 1e-12) << solver.name;
      EXPECT_LE(*report.progress.primal - lower, 1e-5) << solver.name;
      EXPECT_LE(upper - report.progress.dual, 1e-5) << solver.name;
    }
  }
}

class Recorder : public Observer {
 public:
  void on_measure(const Progress& now, Weights w) override {
    line.push_back(now.dual);
    line.push_back(now.primal.value_or(-1.0));
    line.push_back(static_cast<double>(now.oracle_calls));
    line.insert(line.end(), w.begin(), w.end());
  }
  std::vector<double> line;
};

TEST(SolverLaws, ResumedRunsGoOnBitForBit) {
  for (const auto& problem : problems()) {
    for (Variant variant : variants(*problem)) {
      const bool has_dual = solver_info(variant.options.solver).has_dual;
      if (has_dual) variant.options.relative_gap = 1e-6;
      variant.options.max_passes = 23;
      variant.options.gap_every = 4;
      Observer nobody;
      const Report whole = train(*problem, variant.options, nobody);
      for (const int steps : {0, 1, 5, 17}) {
        StopAfterSteps stopper(steps);
        train(*problem, variant.options, stopper);
        Training rest(*problem, variant.options);
        rest.restore(stopper.saved, "checkpoint");
        const Report resumed = rest.run(nobody);
        EXPECT_EQ(resumed.w, whole.w) << variant.name << " after " << steps;
        EXPECT_EQ(resumed.reason, whole.reason) << variant.name;
        EXPECT_EQ(resumed.progress.oracle_calls, whole.progress.oracle_calls) << variant.name;
        EXPECT_EQ(resumed.progress.primal, whole.progress.primal) << variant.name;
        EXPECT_EQ(resumed.progress.dual, whole.progress.dual) << variant.name;
      }
    }
  }
}

TEST(SolverLaws, ResultsDoNotDependOnTheNumberOfThreads) {
  std::vector<std::unique_ptr<Problem>> large;
  large.push_back(
      testing::random_chains({.sequences = 50, .labels = 5, .max_length = 6, .seed = 9}).problem);
  large.push_back(testing::random_graphs({.blocks = 150, .variables = 3, .seed = 9}));
  for (const auto& problem : large) {
    for (Variant variant : variants(*problem)) {
      if (problem != large[0] && !testing::is_factorwise(variant.options.solver)) continue;
      variant.options.max_passes = 6;
      variant.options.gap_every = 2;
      std::vector<std::vector<double>> lines;
      for (const Index threads : {1, 2, 3}) {
        variant.options.threads = threads;
        Recorder recorder;
        train(*problem, variant.options, recorder);
        lines.push_back(recorder.line);
      }
      EXPECT_EQ(lines[0], lines[1]) << variant.name;
      EXPECT_EQ(lines[0], lines[2]) << variant.name;
    }
  }
}

TEST(SolverLaws, CheckpointsOfOtherRunsAreRefused) {
  const auto problem = testing::random_chains({.seed = 3}).problem;
  const auto other = testing::random_chains({.seed = 4}).problem;
  TrainOptions options;
  StopAfterSteps stopper(5);
  train(*problem, options, stopper);
  const auto restore = [&](const Problem& onto, const TrainOptions& with) {
    Training training(onto, with);
    training.restore(stopper.saved, "checkpoint");
  };
  EXPECT_NO_THROW(restore(*problem, options));
  EXPECT_THROW(restore(*other, options), InputError);
  TrainOptions changed = options;
  changed.seed = 2;
  EXPECT_THROW(restore(*problem, changed), InputError);
  changed = options;
  changed.max_passes = 7;
  EXPECT_NO_THROW(restore(*problem, changed));
}

}  // namespace
}  // namespace gapwise::internal
