// Dual coordinate descent on the squared hinge: the golden example, and every update of the three
// solvers against [CY13] written out in its own units with dense vectors.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gapwise/train.h"
#include "solve/squared/squared_block_dual.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::SolverBench;

/// C = 1 and n = 2, so that lambda = 1/2 and objectives are half those of the golden example.
TEST(GoldenG3, DcdLightTakesTheKnownSteps) {
  const auto problem = testing::golden_g1();
  TrainOptions options = testing::options_for("dcd-light", {0.5, false});
  options.sampling = Sampling::kCyclic;
  SolverBench bench(*problem, options);
  const double w[] = {0.4444444444, -0.5185185185, 0.3374485597, -0.2331961591};
  const double dual[] = {0.1111111111, 0.8065843621, 1.2187166590, 1.4629432054};
  const double primal[] = {2.1975308642, 4.5157750343};
  for (int k = 0; k < 12; ++k) {
    bench.solver->step();
    if (k < 4) {
      EXPECT_NEAR(bench.w()[0], w[k], 1e-9) << k;
      EXPECT_NEAR(2.0 * bench.solver->dual(), dual[k], 1e-9) << k;
    }
    if (k >= 2) continue;
    const Measurement measured = bench.solver->gap_pass();
    EXPECT_NEAR(2.0 * measured.primal, primal[k], 1e-9) << k;
    EXPECT_NEAR(2.0 * bench.solver->estimated_gap(), primal[k] - dual[k], 1e-9) << k;
    EXPECT_TRUE(measured.is_certified);
  }
  EXPECT_NEAR(bench.w()[0], 0.1306396317, 1e-9);
  EXPECT_NEAR(2.0 * bench.solver->dual(), 1.8127796275, 1e-9);
}

TEST(GoldenG3, EverySolverReachesTheKnownOptimum) {
  const auto problem = testing::golden_g1();
  for (const std::string solver : {"dcd-light", "dcd", "cpd"}) {
    TrainOptions options = testing::options_for(solver, {0.5, false});
    options.gap = 1e-12;
    options.max_passes = 10'000;
    const Report report = train(*problem, options);
    EXPECT_EQ(report.reason, StopReason::kConverged) << solver;
    EXPECT_NEAR(report.w[0], 2.0 / 11.0, 1e-6) << solver;
    EXPECT_NEAR(*report.progress.primal, 10.0 / 11.0, 1e-10) << solver;
    EXPECT_NEAR(report.progress.dual, 10.0 / 11.0, 1e-10) << solver;
  }
}

/// [CY13] with its C, its duals and dense vectors; w and everything else are summed up from the
/// duals whenever they are needed. Draws the same random numbers as the solvers.
class SlowDcd {
 public:
  SlowDcd(const Problem& problem, double lambda, std::uint64_t seed)
      : problem_(problem),
        oracle_(problem.make_oracle()),
        c_(1.0 / (lambda * static_cast<double>(problem.num_blocks()))),
        rng_(seed),
        blocks_(static_cast<std::size_t>(problem.num_blocks())),
        order_(blocks_.size()),
        sweep_order_(blocks_.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    std::iota(sweep_order_.begin(), sweep_order_.end(), Index{0});
  }

  std::vector<double> w() const {
    std::vector<double> sum(static_cast<std::size_t>(problem_.dimension()), 0.0);
    for (const auto& block : blocks_) {
      for (const Atom& atom : block) {
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += atom.a * atom.psi[j];
      }
    }
    return sum;
  }
  double dual() const {
    double value = -0.5 * dot(w(), w());
    for (const auto& block : blocks_) {
      for (const Atom& atom : block) value += atom.a * atom.loss;
      value -= s(block) * s(block) / (4.0 * c_);
    }
    return value;
  }
  double c() const { return c_; }

  void light_visit(Index at) {
    if (at == 0) rng_.shuffle(std::span(order_));
    const Index i = order_[static_cast<std::size_t>(at)];
    find(i, w());
    update(i);
  }
  void sweep_visit(Index at) {
    if (at == 0) {
      rng_.shuffle(std::span(sweep_order_));
      most_ = least_ = 0.0;
    }
    const Index i = sweep_order_[static_cast<std::size_t>(at)];
    if (!blocks_[static_cast<std::size_t>(i)].empty()) update(i);
  }
  void find_all() {
    const std::vector<double> fixed = w();
    for (Index i = 0; i < problem_.num_blocks(); ++i) find(i, fixed);
  }
  void end_pass() {
    if (static_cast<double>(added_) < 0.05 * static_cast<double>(problem_.num_blocks())) {
      delta_ *= 0.5;
    }
    added_ = 0;
    ++pass_;
  }
  bool has_converged() const { return most_ - least_ <= delta_; }

 private:
  struct Atom {
    std::vector<double> psi;
    double loss;
    double a;
    int pass;
  };
  using Block = std::vector<Atom>;

  static double dot(const std::vector<double>& u, const std::vector<double>& v) {
    return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
  }
  static double s(const Block& block) {
    double sum = 0.0;
    for (const Atom& atom : block) sum += atom.a;
    return sum;
  }

  /// The oracle at w; adds what it finds if that is new and violated by delta.
  void find(Index i, const std::vector<double>& w) {
    Block& block = blocks_[static_cast<std::size_t>(i)];
    if (pass_ > 0 && pass_ % 5 == 0) {
      std::erase_if(block, [&](const Atom& atom) { return atom.a == 0.0 && atom.pass < pass_; });
    }
    PartScores theta;
    Corner corner;
    oracle_->argmax(i, w, theta, corner);
    std::vector<double> psi(w.size(), 0.0);
    oracle_->scatter(i, corner.parts, 1.0, psi);
    if (corner.loss - dot(w, psi) - s(block) / (2.0 * c_) < delta_) return;
    for (Atom& atom : block) {
      if (atom.psi == psi && atom.loss == corner.loss) {
        atom.pass = pass_;
        return;
      }
    }
    block.push_back({psi, corner.loss, 0.0, pass_});
    ++added_;
  }

  void update(Index i) {
    Block& block = blocks_[static_cast<std::size_t>(i)];
    std::vector<std::size_t> order(block.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    if (order.size() > 2) rng_.shuffle(std::span(order).subspan(1));
    for (const std::size_t p : order) {
      Atom& atom = block[p];
      const double slope = atom.loss - dot(w(), atom.psi) - s(block) / (2.0 * c_);
      const double projected = atom.a > 0.0 ? slope : std::max(slope, 0.0);
      most_ = std::max(most_, projected);
      least_ = std::min(least_, projected);
      atom.a = std::max(0.0, atom.a + slope / (dot(atom.psi, atom.psi) + 1.0 / (2.0 * c_)));
    }
  }

  const Problem& problem_;
  std::unique_ptr<Oracle> oracle_;
  double c_;
  Rng rng_;
  std::vector<Block> blocks_;
  std::vector<Index> order_;
  std::vector<Index> sweep_order_;
  double delta_ = 0.1;
  Index added_ = 0;
  int pass_ = 0;
  double most_ = 0.0;
  double least_ = 0.0;
};

/// A solver beside its slow twin.
struct Twins {
  Twins(const Problem& given, const TrainOptions& options)
      : problem(given),
        bench(given, options),
        slow(given, options.lambda.resolve(given.num_blocks()), options.seed) {}

  void expect_same(const std::string& where) const {
    const double n_c = static_cast<double>(problem.num_blocks()) * slow.c();
    ASSERT_NEAR(bench.solver->dual(), slow.dual() / n_c, 1e-11) << where;
    const std::vector<double> w = bench.w();
    const std::vector<double> expected = slow.w();
    for (std::size_t j = 0; j < w.size(); ++j) ASSERT_NEAR(w[j], expected[j], 1e-10) << where;
  }

  const Problem& problem;
  SolverBench bench;
  SlowDcd slow;
};

std::unique_ptr<Problem> chains() {
  return testing::random_chains({.sequences = 9, .labels = 4, .max_length = 5, .seed = 11}).problem;
}

TEST(Dcd, MakesTheUpdatesOfDcdSsvm) {
  const auto problem = chains();
  for (const Index sweeps : {0, 1, 5}) {
    TrainOptions options = testing::options_for(sweeps == 0 ? "dcd-light" : "dcd", {0.3, true});
    if (sweeps > 0) options.sweeps = sweeps;
    Twins twins(*problem, options);
    for (int pass = 0; pass < 25; ++pass) {
      for (Index sweep = 0; pass > 0 && sweep < sweeps; ++sweep) {
        for (Index k = 0; k < problem->num_blocks(); ++k) {
          EXPECT_FALSE(twins.bench.solver->step());
          twins.slow.sweep_visit(k);
          twins.expect_same("pass " + std::to_string(pass) + ", sweep " + std::to_string(sweep));
        }
      }
      for (Index k = 0; k < problem->num_blocks(); ++k) {
        EXPECT_EQ(twins.bench.solver->step(), k + 1 == problem->num_blocks());
        twins.slow.light_visit(k);
        twins.expect_same("pass " + std::to_string(pass) + ", visit " + std::to_string(k));
      }
      twins.slow.end_pass();
    }
  }
}

TEST(Cpd, SweepsUntilTheWorkingSetsHaveNothingToGive) {
  const auto problem = chains();
  Twins twins(*problem, testing::options_for("cpd", {0.3, true}));
  for (int round = 0; round < 12; ++round) {
    EXPECT_FALSE(twins.bench.solver->step());
    twins.slow.find_all();
    twins.slow.end_pass();
    bool is_over = false;
    while (!is_over) {
      for (Index k = 0; k < problem->num_blocks(); ++k) {
        EXPECT_FALSE(is_over);
        is_over = twins.bench.solver->step();
        twins.slow.sweep_visit(k);
        twins.expect_same("round " + std::to_string(round));
      }
      ASSERT_EQ(is_over, twins.slow.has_converged());
    }
  }
}

TEST(Cpd, AsksTheOracleOncePerRoundAlthoughEveryRoundIsMeasured) {
  const auto problem = chains();
  TrainOptions options = testing::options_for("cpd", {0.3, true});
  options.relative_gap = 1e-6;
  const Report report = train(*problem, options);
  EXPECT_EQ(report.reason, StopReason::kConverged);
  EXPECT_EQ(report.progress.oracle_calls, (report.progress.passes + 1) * problem->num_blocks());
  EXPECT_GT(report.progress.cached_steps, 0);
}

TEST(Dcd, BlockGapsAddUpToTheDualityGap) {
  const auto problem = chains();
  for (const std::string solver : {"dcd-light", "dcd", "cpd"}) {
    SolverBench bench(*problem, testing::options_for(solver, {0.3, true}));
    for (int k = 0; k < 100; ++k) {
      bench.solver->step();
      const Measurement measured = bench.solver->gap_pass();
      EXPECT_NEAR(bench.solver->estimated_gap(), measured.primal - measured.dual, 1e-10) << solver;
    }
  }
}

/// The bound on working sets merges outputs, which moves no block: only rounding may tell.
TEST(Dcd, KeepsItsDualWhenWorkingSetsAreFull) {
  const auto problem = chains();
  TrainOptions options = testing::options_for("dcd", {0.3, true});
  options.max_active = 2;
  SolverBench bench(*problem, options);
  for (int k = 0; k < 400; ++k) {
    bench.solver->step();
    const double kept = bench.solver->dual();
    EXPECT_NEAR(bench.solver->gap_pass().dual, kept, 1e-12) << k;
  }
}

}  // namespace
}  // namespace gapwise::internal
