// Runs that start where another one stood.

#include <gtest/gtest.h>

#include <array>

#include "solve/training.h"
#include "support/problems.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

std::unique_ptr<Problem> chains() {
  return testing::random_chains({.sequences = 40, .labels = 4, .attributes = 12, .seed = 21})
      .problem;
}

/// Where a run stands before its first step.
struct Begin : Observer {
  bool wants_stop() override { return true; }
  void on_stop(const Progress& now, const Snapshot& snapshot) override {
    dual = now.dual;
    snapshot.weights(w);
    state = snapshot.state();
  }
  std::string state;
  double dual = 0.0;
  std::vector<double> w;
};

Begin begin_of(Training& training) {
  Begin begin;
  training.run(begin);
  return begin;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) ASSERT_NEAR(a[j], b[j], tolerance) << "weight " << j;
}

/// Those that take over a dual point.
constexpr std::array kDualSolvers{"bcfw",  "fw",     "auto", "bcpfw",
                                  "bcafw", "mpbcfw", "sdm",  "fasole"};

class WarmStart : public ::testing::Test {
 protected:
  WarmStart() : problem_(chains()) {
    TrainOptions options = testing::options_for("bcfw", kLambda);
    options.relative_gap = 0.02;
    options.max_passes = 10'000;
    earlier_ = std::make_unique<Training>(*problem_, options);
    Observer nobody;
    report_ = earlier_->run(nobody);
    EXPECT_EQ(report_.reason, StopReason::kConverged);
  }

  static constexpr double kLambda = 0.1;
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<Training> earlier_;
  Report report_{};
};

TEST_F(WarmStart, AtTheSameLambdaStandsWhereTheEarlierRunStood) {
  for (const char* solver : kDualSolvers) {
    Training rest(*problem_, testing::options_for(solver, kLambda));
    rest.start_from(*earlier_);
    const Begin begin = begin_of(rest);
    EXPECT_NEAR(begin.dual, report_.progress.dual, 1e-12) << solver;
    expect_near(begin.w, report_.w, 1e-12);
  }
}

TEST_F(WarmStart, AtAnotherLambdaStandsAtTheRescaledPoint) {
  // w = sum_i B_i u_i / (lambda n) doubles, and with it lambda/2 |w|^2; ell stays.
  const double regularizer = 0.5 * kLambda * testing::dot(report_.w, report_.w);
  const double ell = report_.progress.dual + regularizer;
  std::vector<double> doubled = report_.w;
  for (double& x : doubled) x *= 2.0;
  for (const char* solver : kDualSolvers) {
    Training rest(*problem_, testing::options_for(solver, 0.5 * kLambda));
    rest.start_from(*earlier_);
    const Begin begin = begin_of(rest);
    EXPECT_NEAR(begin.dual, ell - 2.0 * regularizer, 1e-12) << solver;
    expect_near(begin.w, doubled, 1e-12);
  }
}

TEST_F(WarmStart, NeedsFewerOracleCallsThanAStartAtZero) {
  for (const char* solver : kDualSolvers) {
    TrainOptions options = testing::options_for(solver, 0.5 * kLambda);
    options.relative_gap = 0.05;
    options.max_passes = 10'000;
    Observer nobody;
    const Report cold = train(*problem_, options);
    Training rest(*problem_, options);
    rest.start_from(*earlier_);
    const Report warm = rest.run(nobody);
    EXPECT_EQ(cold.reason, StopReason::kConverged) << solver;
    EXPECT_EQ(warm.reason, StopReason::kConverged) << solver;
    EXPECT_LT(warm.progress.oracle_calls, cold.progress.oracle_calls) << solver;
  }
}

TEST_F(WarmStart, OfASolverWithoutADualIsAtTheWeights) {
  for (const char* solver : {"ssg", "sgd", "perceptron", "mira"}) {
    for (const bool from_run : {true, false}) {
      Training rest(*problem_, testing::options_for(solver, kLambda));
      if (from_run) {
        rest.start_from(*earlier_);
      } else {
        rest.start_from(report_.w);
      }
      expect_near(begin_of(rest).w, report_.w, 1e-12);
    }
  }
}

/// w - eta (lambda w - psi) with eta = 1 / (lambda (n + 1)).
TEST_F(WarmStart, OfPegasosGoesOnAsAfterOnePass) {
  TrainOptions options = testing::options_for("ssg", kLambda);
  options.sampling = Sampling::kCyclic;
  testing::SolverBench bench(*problem_, options);
  bench.solver->start_from({report_.w});
  bench.solver->step();

  const auto oracle = problem_->make_oracle();
  PartScores theta;
  Corner corner;
  oracle->argmax(0, report_.w, theta, corner);
  const auto n = static_cast<double>(problem_->num_blocks());
  std::vector<double> expected = report_.w;
  for (double& x : expected) x *= n / (n + 1.0);
  oracle->scatter(0, corner.parts, 1.0 / (kLambda * (n + 1.0)), expected);
  expect_near(bench.w(), expected, 1e-12);
}

TEST_F(WarmStart, IsRefusedWhereItCannotBe) {
  Training other_solver(*problem_, testing::options_for("one-slack", kLambda));
  EXPECT_THROW(other_solver.start_from(*earlier_), OptionError);
  Training by_weights(*problem_, testing::options_for("bcfw", kLambda));
  EXPECT_THROW(by_weights.start_from(report_.w), OptionError) << "weights are no dual point";

  Training online(*problem_, testing::options_for("ssg", kLambda));
  EXPECT_THROW(online.start_from(std::vector<double>(3, 0.0)), OptionError);
  std::vector<double> broken = report_.w;
  broken[0] = NAN;
  EXPECT_THROW(online.start_from(broken), OptionError);

  const auto elsewhere = testing::random_chains({.seed = 5}).problem;
  Training stranger(*elsewhere, testing::options_for("bcfw", kLambda));
  EXPECT_THROW(stranger.start_from(*earlier_), OptionError) << "other data";
  EXPECT_THROW(earlier_->start_from(*earlier_), OptionError) << "a run that has begun";

  TrainOptions batch = testing::options_for("fw", kLambda);
  batch.max_passes = 3;
  Training keeps_none(*problem_, batch);
  Observer nobody;
  keeps_none.run(nobody);
  Training after(*problem_, testing::options_for("bcfw", kLambda));
  EXPECT_THROW(after.start_from(keeps_none), OptionError) << "fw keeps no mixtures";
}

TEST_F(WarmStart, IsPartOfCheckpoints) {
  for (const char* solver : {"bcfw", "fw", "auto", "bcpfw", "sdm", "ssg", "sgd"}) {
    TrainOptions options = testing::options_for(solver, 0.5 * kLambda);
    options.max_passes = 3;
    Observer nobody;
    Training whole(*problem_, options);
    whole.start_from(*earlier_);
    const Report expected = whole.run(nobody);

    Training begun(*problem_, options);
    begun.start_from(*earlier_);
    const std::string saved = begin_of(begun).state;
    Training rest(*problem_, options);
    rest.restore(saved, "checkpoint");
    EXPECT_EQ(rest.run(nobody).w, expected.w) << solver;
  }
}

}  // namespace
}  // namespace gapwise::internal
