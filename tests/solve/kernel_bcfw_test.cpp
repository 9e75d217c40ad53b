// Kernel training against linear training: with a linear kernel on the same data, with another
// kernel on its explicit feature map.

#include <gtest/gtest.h>

#include "solve/training.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::Chains;
using testing::Classes;
using testing::SolverBench;

TrainOptions options_of(const std::string& solver) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = Lambda::over_n(0.5);
  options.seed = 5;
  return options;
}

TrainOptions kernel_options(KernelKind kernel) {
  TrainOptions options = options_of("kernel-bcfw");
  options.kernel = kernel;
  return options;
}

/// Both solvers take the same steps: dual, gap estimates and certificates.
void expect_same_run(const Problem& linear, const TrainOptions& linear_options,
                     const Problem& kernel, const TrainOptions& kernel_options) {
  SolverBench a(linear, linear_options);
  SolverBench b(kernel, kernel_options);
  for (int k = 0; k < 200; ++k) {
    EXPECT_EQ(a.solver->step(), b.solver->step());
    ASSERT_NEAR(a.solver->dual(), b.solver->dual(), 1e-9) << "step " << k;
    if (k % 20 != 19) continue;
    if (std::isfinite(a.solver->estimated_gap())) {
      ASSERT_NEAR(a.solver->estimated_gap(), b.solver->estimated_gap(), 1e-9) << "step " << k;
    }
    const Measurement by_a = a.solver->gap_pass();
    const Measurement by_b = b.solver->gap_pass();
    ASSERT_NEAR(by_a.primal, by_b.primal, 1e-9) << "step " << k;
    ASSERT_NEAR(by_a.dual, by_b.dual, 1e-9) << "step " << k;
    ASSERT_TRUE(by_b.is_certified);
  }
}

std::vector<std::unique_ptr<Problem>> problems() {
  std::vector<std::unique_ptr<Problem>> all;
  for (const testing::Inputs inputs :
       {testing::Inputs::kBinary, testing::Inputs::kSparse, testing::Inputs::kDense}) {
    all.push_back(testing::random_classes({.examples = 20, .inputs = inputs, .seed = 3}).problem);
    all.push_back(testing::random_classes({.inputs = inputs, .has_costs = true}).problem);
    all.push_back(testing::random_chains({.labels = 4, .inputs = inputs, .seed = 4}).problem);
    all.push_back(
        testing::random_chains({.inputs = inputs, .edge_attributes = 2, .seed = 5}).problem);
  }
  return all;
}

TEST(KernelBcfw, WithALinearKernelTakesTheStepsOfBcfw) {
  for (const auto& problem : problems()) {
    for (const Step step : {Step::kLineSearch, Step::kFixed}) {
      for (const Sampling sampling : {Sampling::kPermutation, Sampling::kUniform, Sampling::kGap}) {
        for (const Average average : {Average::kNone, Average::kWeighted, Average::kSuffix}) {
          TrainOptions options = options_of("bcfw");
          options.step = step;
          options.sampling = sampling;
          options.average = average;
          TrainOptions with_kernel = options;
          with_kernel.solver = "kernel-bcfw";
          expect_same_run(*problem, options, *problem, with_kernel);
        }
      }
    }
  }
}

/// The monomials of degree 2, scaled so that their inner product is (gamma <x, z> + offset)^2.
void add_quadratic_row(const std::vector<double>& x, double gamma, double offset,
                       FeatureRows& rows) {
  std::uint32_t at = 0;
  for (std::size_t a = 0; a < x.size(); ++a) {
    rows.add(at++, gamma * x[a] * x[a]);
    for (std::size_t b = 0; b < a; ++b) rows.add(at++, std::sqrt(2.0) * gamma * x[a] * x[b]);
    rows.add(at++, std::sqrt(2.0 * gamma * offset) * x[a]);
  }
  rows.add(at, offset);
  rows.end_row();
}

/// All rows of `inputs` with their quadratic features.
FeatureRows quadratic(const FeatureRows& inputs, std::uint32_t attributes, double gamma,
                      double offset) {
  FeatureRows rows;
  for (std::size_t r = 0; r < inputs.num_rows(); ++r) {
    std::vector<double> x(attributes, 0.0);
    const FeatureRow row = inputs.row(r);
    for (std::size_t f = 0; f < row.size; ++f) {
      x[row.attributes != nullptr ? row.attributes[f] : f] +=
          row.values != nullptr ? row.values[f] : 1.0;
    }
    add_quadratic_row(x, gamma, offset, rows);
  }
  rows.finish(attributes * (attributes + 3) / 2 + 1);
  return rows;
}

constexpr double kGamma = 0.3;
constexpr double kOffset = 0.7;

TrainOptions quadratic_options() {
  TrainOptions options = kernel_options(KernelKind::kPolynomial);
  options.kernel_degree = 2;
  options.kernel_gamma = kGamma;
  options.kernel_offset = kOffset;
  return options;
}

TEST(KernelBcfw, WithAQuadraticKernelTakesTheStepsOfBcfwOnQuadraticFeatures) {
  const Classes classes = testing::random_classes({.examples = 15, .attributes = 4, .seed = 8});
  auto explicit_classes = std::make_shared<MulticlassData>(*classes.data);
  explicit_classes->inputs = quadratic(classes.data->inputs, 4, kGamma, kOffset);
  explicit_classes->attributes = 15;
  expect_same_run(*make_multiclass_problem(explicit_classes), options_of("bcfw"), *classes.problem,
                  quadratic_options());

  const Chains chains =
      testing::random_chains({.sequences = 9, .attributes = 3, .edge_attributes = 2, .seed = 9});
  auto explicit_chains = std::make_shared<SequenceData>(*chains.data);
  explicit_chains->nodes = quadratic(chains.data->nodes, 3, kGamma, kOffset);
  ChainLayout layout = chains.layout;
  layout.node_attributes = 10;
  expect_same_run(*make_sequence_problem(explicit_chains, layout, SequenceLoss::kNormalizedHamming),
                  options_of("bcfw"), *chains.problem, quadratic_options());
}

/// exp(-gamma |x - z|^2) of small inputs is the sum of the first powers of its series.
TEST(KernelBcfw, KernelsAreWhatTheirFormulasSay) {
  const Kernel rbf{KernelKind::kRbf, 1, 0.5, 0.0};
  EXPECT_DOUBLE_EQ(rbf(1.0, 2.0, 5.0), std::exp(-2.5));
  EXPECT_EQ(rbf(2.0, 2.0, 2.0), 1.0);
  EXPECT_EQ(rbf(2.0 + 1e-15, 2.0, 2.0), 1.0) << "rounding never makes it larger than 1";
  const Kernel cubic{KernelKind::kPolynomial, 3, 2.0, 1.0};
  EXPECT_DOUBLE_EQ(cubic(0.5, 9.0, 9.0), 8.0);
  const Kernel linear{KernelKind::kLinear, 3, 2.0, 1.0};
  EXPECT_EQ(linear(0.5, 9.0, 9.0), 0.5);
}

TEST(KernelBcfw, CertifiesItsGapWithEveryKernel) {
  for (const auto& problem : problems()) {
    for (const KernelKind kernel :
         {KernelKind::kLinear, KernelKind::kPolynomial, KernelKind::kRbf}) {
      SolverBench bench(*problem, kernel_options(kernel));
      double least_primal = 1e300;
      double before = 0.0;
      for (int k = 0; k < 200; ++k) {
        bench.solver->step();
        ASSERT_GE(bench.solver->dual(), before - 1e-12);
        before = bench.solver->dual();
        if (k % 10 != 0) continue;
        const Measurement measured = bench.solver->gap_pass();
        ASSERT_NEAR(measured.dual, before, 1e-10) << "little drift";
        ASSERT_NEAR(measured.primal - measured.dual, bench.solver->estimated_gap(), 1e-9)
            << "block gaps sum to the gap";
        least_primal = std::min(least_primal, measured.primal);
        ASSERT_LE(measured.dual, least_primal + 1e-12);
      }
    }
  }
}

/// Scores of all parts of block i from the expansion, by the definition.
std::vector<double> expanded_scores(const Problem& problem, const KernelExpansion& expansion,
                                    Index i) {
  const auto inputs = problem.kernel_inputs();
  const auto rest = inputs->rest().make_oracle();
  PartScores theta;
  rest->score(i, expansion.rest, theta);
  std::vector<double> scores(theta.values().begin(), theta.values().end());
  const Index first = inputs->first_input(i);
  const Index end =
      i + 1 < problem.num_blocks() ? inputs->first_input(i + 1) : inputs->num_inputs();
  const auto product = [&](Index a, Index b) {
    double result = 0.0;
    inputs->products(a, b, b + 1, &result);
    return result;
  };
  std::size_t at = 0;
  for (Index t = first; t < end; ++t) {
    for (int k = 0; k < expansion.labels; ++k, ++at) {
      for (std::size_t s = 0; s < expansion.inputs.size(); ++s) {
        const Index input = expansion.inputs[s];
        scores[at] += expansion.coefficients[s * static_cast<std::size_t>(expansion.labels) +
                                             static_cast<std::size_t>(k)] *
                      expansion.kernel(product(input, t), product(input, input), product(t, t));
      }
    }
  }
  return scores;
}

TEST(KernelBcfw, ItsExpansionGivesTheScoresOfTheRun) {
  for (const auto& problem : problems()) {
    TrainOptions options = kernel_options(KernelKind::kRbf);
    options.max_passes = 10;
    Training training(*problem, options);
    Observer nobody;
    const Report report = training.run(nobody);
    ASSERT_NE(training.kernel(), nullptr);
    const KernelExpansion expansion = training.kernel()->expansion(report.w);
    const auto oracle = training.kernel()->make_oracle();
    PartScores theta;
    for (Index i = 0; i < problem->num_blocks(); ++i) {
      oracle->score(i, report.w, theta);
      const std::vector<double> expected = expanded_scores(*problem, expansion, i);
      ASSERT_EQ(theta.values().size(), expected.size());
      for (std::size_t p = 0; p < expected.size(); ++p) {
        ASSERT_NEAR(theta.values()[p], expected[p], 1e-10);
      }
    }
    ASSERT_TRUE(report.progress.support_structures.has_value());
    EXPECT_GT(*report.progress.support_structures, 0);
    EXPECT_LE(*report.progress.support_structures, problem->num_blocks());
    EXPECT_LE(*report.progress.support_structures, std::ssize(expansion.inputs));
  }
}

class Recorder : public Observer {
 public:
  explicit Recorder(int steps = 1 << 30) : left_(steps) {}
  bool wants_stop() override { return left_-- <= 0; }
  void on_measure(const Progress& now, Weights w) override {
    line.push_back(now.dual);
    line.push_back(*now.primal);
    line.insert(line.end(), w.begin(), w.end());
  }
  void on_stop(const Progress&, const Snapshot& snapshot) override { saved = snapshot.state(); }
  std::vector<double> line;
  std::string saved;

 private:
  int left_;
};

TEST(KernelBcfw, DependsNeitherOnThreadsNorOnTheCacheNorOnAResume) {
  const auto problem = testing::random_chains({.sequences = 700, .labels = 5, .seed = 2}).problem;
  TrainOptions options = kernel_options(KernelKind::kRbf);
  options.max_passes = 3;
  options.gap_every = 1;
  options.relative_gap = 1e-9;
  options.threads = 1;
  Recorder expected;
  const Report whole = train(*problem, options, expected);
  for (const Index threads : {2, 3}) {
    options.threads = threads;
    options.kernel_cache_mb = 0;
    Recorder recorder;
    train(*problem, options, recorder);
    EXPECT_EQ(recorder.line, expected.line);
  }
  Recorder stopper(1000);
  train(*problem, options, stopper);
  options.kernel_cache_mb = 1;
  Training rest(*problem, options);
  rest.restore(stopper.saved, "checkpoint");
  Observer nobody;
  EXPECT_EQ(rest.run(nobody).w, whole.w);
}

TEST(KernelBcfw, RefusesProblemsWithoutInputs) {
  const auto problem = testing::golden_g1();
  EXPECT_THROW(Training(*problem, kernel_options(KernelKind::kRbf)), OptionError);
  TrainOptions options = options_of("bcfw");
  EXPECT_EQ(Training(*problem, options).kernel(), nullptr);
  options.kernel = KernelKind::kRbf;
  EXPECT_THROW(Training(*problem, options), OptionError) << "another solver has no kernel";
}

TEST(KernelBcfw, RefusesKernelsThatOverflow) {
  auto data = std::make_shared<MulticlassData>();
  for (std::int32_t k = 0; k < 2; ++k) {
    data->inputs.add(0, 1e90);
    data->inputs.end_row();
    data->labels.push_back(k);
  }
  data->inputs.finish(1);
  data->attributes = 1;
  data->classes = 2;
  const auto problem = make_multiclass_problem(data);
  TrainOptions options = kernel_options(KernelKind::kPolynomial);
  options.kernel_gamma = 1.0;
  EXPECT_THROW(Training(*problem, options), InputError);
  options.kernel_gamma.reset();
  EXPECT_NO_THROW(Training(*problem, options)) << "the default gamma knows the scale of the data";
}

}  // namespace
}  // namespace gapwise::internal
