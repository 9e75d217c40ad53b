// The published updates of the solvers that average over all outputs, step by step against direct
// versions that keep a number for every output.

#include <gtest/gtest.h>

#include <cmath>

#include "gapwise/train.h"
#include "support/enumeration.h"
#include "support/simplex_projection.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::Enumerated;
using testing::SolverBench;

using Vector = std::vector<double>;
using Blocks = std::vector<Vector>;  ///< a number for every output of every block

void add(double factor, const Vector& x, Vector& to) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += factor * x[j];
}
Vector mixed(double share, const Vector& a, const Vector& b) {
  Vector out(a.size());
  for (std::size_t j = 0; j < a.size(); ++j) out[j] = (1.0 - share) * a[j] + share * b[j];
  return out;
}
Blocks mixed(double share, const Blocks& a, const Blocks& b) {
  Blocks out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(mixed(share, a[i], b[i]));
  return out;
}
Vector softmax(const Vector& logits) {
  const double top = *std::max_element(logits.begin(), logits.end());
  Vector out;
  double sum = 0.0;
  for (const double x : logits) sum += std::exp(x - top);
  for (const double x : logits) out.push_back(std::exp(x - top) / sum);
  return out;
}
Blocks softmax(const Blocks& logits) {
  Blocks out;
  for (const Vector& block : logits) out.push_back(softmax(block));
  return out;
}

/// The structural SVM with everything written out.
struct Direct {
  Enumerated task;
  std::vector<std::vector<Vector>> psi;
  Blocks losses;
  double lambda;
  double n;
  Vector zero;

  Direct(Enumerated given, double with_lambda)
      : task(std::move(given)),
        lambda(with_lambda),
        n(static_cast<double>(task.problem->num_blocks())),
        zero(static_cast<std::size_t>(task.problem->dimension()), 0.0) {
    const auto oracle = task.problem->make_oracle();
    for (Index i = 0; i < task.problem->num_blocks(); ++i) {
      psi.emplace_back();
      losses.emplace_back();
      for (const testing::Output& y : task.block(i)) {
        psi.back().push_back(zero);
        oracle->scatter(i, y.parts, 1.0, psi.back().back());
        losses.back().push_back(y.loss);
      }
    }
  }

  Blocks uniform() const {
    Blocks out;
    for (const Vector& block : losses) {
      out.emplace_back(block.size(), 1.0 / static_cast<double>(block.size()));
    }
    return out;
  }
  Vector w(const Blocks& alpha) const {
    Vector sum = zero;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      for (std::size_t y = 0; y < alpha[i].size(); ++y) {
        add(alpha[i][y] / (lambda * n), psi[i][y], sum);
      }
    }
    return sum;
  }
  double dual(const Blocks& alpha) const {
    double ell = 0.0;
    for (std::size_t i = 0; i < alpha.size(); ++i) ell += testing::dot(alpha[i], losses[i]) / n;
    const Vector at = w(alpha);
    return ell - 0.5 * lambda * testing::dot(at, at);
  }
  Blocks violations(const Vector& at) const {
    Blocks h = losses;
    for (std::size_t i = 0; i < h.size(); ++i) {
      for (std::size_t y = 0; y < h[i].size(); ++y) h[i][y] -= testing::dot(at, psi[i][y]);
    }
    return h;
  }
  /// H_i(y; w) times a factor, added to what is there.
  void add_violations(double factor, const Vector& at, Blocks& to) const {
    const Blocks h = violations(at);
    for (std::size_t i = 0; i < h.size(); ++i) add(factor, h[i], to[i]);
  }
  Blocks nothing() const {
    Blocks out = losses;
    for (Vector& block : out) std::fill(block.begin(), block.end(), 0.0);
    return out;
  }
  double primal(const Vector& at) const {
    double sum = 0.5 * lambda * testing::dot(at, at);
    for (const Vector& h : violations(at)) sum += *std::max_element(h.begin(), h.end()) / n;
    return sum;
  }
  double log_outputs() const {
    double sum = 0.0;
    for (const Vector& block : losses) sum += std::log(static_cast<double>(block.size()));
    return sum;
  }
  double total_radius() const {
    const auto oracle = task.problem->make_oracle();
    double sum = 0.0;
    for (Index i = 0; i < task.problem->num_blocks(); ++i) sum += std::pow(oracle->radius(i), 2.0);
    return std::sqrt(sum);
  }
  double largest_length() const {
    double sum = 0.0;
    for (const Vector& block : losses) sum += *std::max_element(block.begin(), block.end());
    return std::sqrt(2.0 * sum / (n * lambda));
  }
};

std::vector<Direct> cases() {
  std::vector<Direct> all;
  all.emplace_back(testing::enumerate(testing::random_chains({.sequences = 6, .seed = 11})), 0.05);
  all.emplace_back(
      testing::enumerate(testing::random_chains({.max_length = 3, .edge_attributes = 2})), 0.2);
  all.emplace_back(testing::enumerate(testing::random_classes({.has_costs = true})), 0.1);
  return all;
}

void expect_near(const Vector& a, const Vector& b, double tolerance, int step) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    ASSERT_NEAR(a[j], b[j], tolerance) << "weight " << j << ", step " << step;
  }
}

/// One visit of block i: rates are halved until the dual rises, and raised afterwards.
void visit_directly(const Direct& direct, std::size_t i, int most, Vector& logits, double& rate,
                    Blocks& alpha) {
  const Vector h = direct.violations(direct.w(alpha))[i];
  for (int trial = 0; trial <= most; ++trial) {
    Vector moved = logits;
    add(rate, h, moved);
    Blocks next = alpha;
    next[i] = softmax(moved);
    if (direct.dual(next) > direct.dual(alpha)) {
      logits = moved;
      alpha = next;
      break;
    }
    if (trial < most) rate *= 0.5;
  }
  rate *= 1.05;
}

TEST(ExponentiatedGradient, TakesThePublishedSteps) {
  for (const Direct& direct : cases()) {
    TrainOptions options = testing::options_for("eg", direct.lambda);
    options.sampling = Sampling::kCyclic;
    SolverBench bench(*direct.task.problem, options);
    Blocks alpha = direct.uniform();
    Blocks logits = direct.nothing();
    Vector rates(logits.size(), 0.5);
    const auto blocks = static_cast<int>(logits.size());
    for (int k = 0; k < 5 * blocks; ++k) {
      const auto i = static_cast<std::size_t>(k % blocks);
      visit_directly(direct, i, k < blocks ? 2 : 5, logits[i], rates[i], alpha);
      bench.solver->step();
      expect_near(bench.w(), direct.w(alpha), 1e-9, k);
      ASSERT_NEAR(bench.solver->dual(), direct.dual(alpha), 1e-10);
    }
  }
}

TEST(ExponentiatedGradient, CountsEveryTrialAsAnOracleCall) {
  const Direct direct(testing::enumerate(testing::random_chains({.sequences = 6, .seed = 11})),
                      0.05);
  TrainOptions options = testing::options_for("eg", direct.lambda);
  options.sampling = Sampling::kCyclic;
  SolverBench bench(*direct.task.problem, options);
  bench.solver->step();
  const Index start = direct.task.problem->num_blocks();
  const Index first_trials = bench.team.calls() - start;
  EXPECT_GE(first_trials, 1);
  EXPECT_LE(first_trials, 3);
  bench.solver->gap_pass();
  EXPECT_EQ(bench.team.calls(), 2 * start + first_trials);
}

TEST(ExponentiatedGradient, RefusesGapSampling) {
  const auto problem = testing::random_chains({}).problem;
  TrainOptions options = testing::options_for("eg", 0.1);
  options.sampling = Sampling::kGap;
  EXPECT_THROW(train(*problem, options), OptionError);
}

TEST(ExcessiveGap, TakesThePublishedStepsAndKeepsItsInvariants) {
  for (const Direct& direct : cases()) {
    SolverBench bench(*direct.task.problem, testing::options_for("excessive-gap", direct.lambda));
    const auto gibbs = [&](double factor, const Vector& at, double other, const Vector& second) {
      Blocks logits = direct.nothing();
      direct.add_violations(factor, at, logits);
      direct.add_violations(other, second, logits);
      return softmax(logits);
    };
    double mu = std::pow(direct.total_radius() / direct.n, 2.0) / direct.lambda;
    Vector w = direct.w(direct.uniform());
    Blocks alpha = gibbs(1.0 / (direct.n * mu), w, 0.0, w);
    bench.solver->step();
    for (int k = 1; k < 40; ++k) {
      expect_near(bench.w(), w, 1e-9, k);
      ASSERT_NEAR(bench.solver->dual(), direct.dual(alpha), 1e-9);
      double smoothed = 0.5 * direct.lambda * testing::dot(w, w);
      for (const Vector& h : direct.violations(w)) {
        double mean = 0.0;
        for (const double x : h) mean += std::exp(x / (direct.n * mu));
        smoothed += mu * std::log(mean / static_cast<double>(h.size()));
      }
      ASSERT_LE(smoothed, direct.dual(alpha) + 1e-10) << k;
      ASSERT_LE(direct.primal(w) - direct.dual(alpha), mu * direct.log_outputs() + 1e-10) << k;
      ASSERT_NEAR(bench.solver->estimated_gap(), mu * direct.log_outputs(), 1e-10);

      const double tau = 2.0 / (k + 3.0);
      const Blocks hat = gibbs(1.0 / (direct.n * mu), w, 0.0, w);
      const Vector beta = direct.w(mixed(tau, alpha, hat));
      const Blocks tilde =
          gibbs(1.0 / (direct.n * mu), w, tau / ((1.0 - tau) * mu * direct.n), beta);
      w = mixed(tau, w, beta);
      alpha = mixed(tau, alpha, tilde);
      mu *= 1.0 - tau;
      bench.solver->step();
    }
  }
}

Vector into_ball(Vector w, double radius) {
  const double length = std::sqrt(testing::dot(w, w));
  for (double& x : w) x *= length > radius ? radius / length : 1.0;
  return w;
}

/// Dual extragradient with one number per output: `prox(start, from, step)` gives the z of all
/// blocks; everything else is the same for entropies and projections.
template <class Prox>
void follow_extragradient(const Direct& direct, double eta, double rho, const Prox& prox,
                          SolverBench& bench) {
  const double ball = direct.largest_length();
  Vector s_w = direct.zero;
  Blocks s_z = direct.nothing();
  for (int k = 0; k < 30; ++k) {
    Vector v_w = direct.zero;
    add(eta / rho, s_w, v_w);
    v_w = into_ball(v_w, ball);
    Blocks step = direct.nothing();
    for (std::size_t i = 0; i < step.size(); ++i) add(eta, s_z[i], step[i]);
    const Blocks v_z = prox.from_start(step);
    Vector u_w = v_w;
    add(-eta / rho * direct.lambda, v_w, u_w);
    add(eta / rho * direct.lambda, direct.w(v_z), u_w);
    u_w = into_ball(u_w, ball);
    Blocks gradient = direct.nothing();
    direct.add_violations(eta / direct.n, v_w, gradient);
    const Blocks u_z = prox.from(v_z, gradient);
    add(-direct.lambda, u_w, s_w);
    add(direct.lambda, direct.w(u_z), s_w);
    direct.add_violations(1.0 / direct.n, u_w, s_z);

    bench.solver->step();
    expect_near(bench.w(), u_w, 1e-9, k);
    ASSERT_NEAR(bench.solver->dual(), direct.dual(u_z), 1e-9) << k;
  }
}

struct EntropyProx {
  Blocks from_start(const Blocks& step) const { return softmax(step); }
  Blocks from(const Blocks& z, const Blocks& step) const {
    Blocks logits = step;
    for (std::size_t i = 0; i < z.size(); ++i) {
      for (std::size_t y = 0; y < z[i].size(); ++y) logits[i][y] += std::log(z[i][y]);
    }
    return softmax(logits);
  }
};

TEST(Extragradient, TakesThePublishedStepsWithEntropies) {
  for (const Direct& direct : cases()) {
    SolverBench bench(*direct.task.problem, testing::options_for("extragradient", direct.lambda));
    const double rho = 2.0 * direct.log_outputs() / std::pow(direct.largest_length(), 2.0);
    const double eta =
        1.0 / (direct.lambda / rho + direct.total_radius() / (direct.n * std::sqrt(rho)));
    follow_extragradient(direct, eta, rho, EntropyProx(), bench);
  }
}

struct SimplexProx {
  std::vector<std::int32_t> truths;

  Blocks from_start(const Blocks& step) const {
    Blocks start = step;
    for (std::size_t i = 0; i < start.size(); ++i) {
      std::fill(start[i].begin(), start[i].end(), 0.0);
      start[i][static_cast<std::size_t>(truths[i])] = 1.0;
    }
    return from(start, step);
  }
  Blocks from(const Blocks& z, const Blocks& step) const {
    Blocks out = z;
    for (std::size_t i = 0; i < z.size(); ++i) {
      add(1.0, step[i], out[i]);
      out[i] = testing::onto_simplex(out[i]);
    }
    return out;
  }
};

/// The largest singular value of all class weights: |x_1 ... x_n| once per class.
double spectral_norm(const MulticlassData& data) {
  const auto size = static_cast<std::size_t>(data.attributes);
  Vector at(size, 1.0);
  double norm = 0.0;
  for (int k = 0; k < 2000; ++k) {
    Vector image(size, 0.0);
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
      const FeatureRow row = data.inputs.row(i);
      double product = 0.0;
      const auto index = [&](std::size_t f) { return row.attributes ? row.attributes[f] : f; };
      const auto value = [&](std::size_t f) { return row.values ? row.values[f] : 1.0; };
      for (std::size_t f = 0; f < row.size; ++f) product += value(f) * at[index(f)];
      for (std::size_t f = 0; f < row.size; ++f) image[index(f)] += value(f) * product;
    }
    norm = std::sqrt(testing::dot(image, image));
    for (std::size_t j = 0; j < size; ++j) at[j] = image[j] / norm;
  }
  return std::sqrt(norm);
}

TEST(Extragradient, TakesThePublishedStepsWithProjections) {
  const testing::ClassesSpec spec{.has_costs = true, .seed = 4};
  const testing::Classes classes = testing::random_classes(spec);
  const Direct direct(testing::enumerate(testing::random_classes(spec)), 0.1);
  const testing::ProjectedClasses problem(spec);
  SolverBench bench(problem, testing::options_for("extragradient", direct.lambda));
  // Half the squared distance between two corners of the simplex is 1.
  const double rho = 2.0 * direct.n / std::pow(direct.largest_length(), 2.0);
  const double norm = 1.05 * spectral_norm(*classes.data);
  const double eta = 1.0 / (direct.lambda / rho + norm / (direct.n * std::sqrt(rho)));
  follow_extragradient(direct, eta, rho, SimplexProx{classes.data->labels}, bench);
}

TEST(Extragradient, ConvergesWithProjectionsToTheOptimumOfTheOthers) {
  const testing::ProjectedClasses problem({.seed = 4});
  TrainOptions options = testing::options_for("extragradient", 0.05);
  options.relative_gap = 1e-5;
  options.max_passes = 100'000;
  const Report report = train(problem, options);
  EXPECT_EQ(report.reason, StopReason::kConverged);
  options.solver = "auto";
  const Report other = train(problem, options);
  EXPECT_NEAR(report.progress.dual, other.progress.dual, 2e-5);
}

TEST(ExpectationSolvers, AreRefusedWithAHintWhereThereIsNoExpectation) {
  const auto problem = testing::golden_g1();
  for (const std::string solver : {"eg", "excessive-gap", "extragradient"}) {
    try {
      train(*problem, testing::options_for(solver, 0.25));
      ADD_FAILURE() << solver << " trained without expectations";
    } catch (const OptionError& error) {
      EXPECT_NE(std::string(error.what()).find("needs expectations"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace gapwise::internal
