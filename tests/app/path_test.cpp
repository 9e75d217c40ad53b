// A regularisation path: what it promises, what it keeps, and how it goes on.

#include "gapwise/path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "app/path_data.h"
#include "app/small_data.h"
#include "support/primal.h"

namespace gapwise::internal {
namespace {

using testing::own_examples;
using testing::primal_at;
using testing::samples;
using testing::says;

TrainOptions path_options(const std::string& solver = "auto") {
  return testing::bounded_run(solver, 100'000);
}

PathSettings path_settings(double epsilon, double lambda_min = 1e-3) {
  PathSettings settings;
  settings.epsilon = epsilon;
  settings.lambda_min = lambda_min;
  settings.has_clock = false;
  return settings;
}

/// How near optimum() comes, relative to the primal.
constexpr double kNear = 1e-5;

/// The optimum at a lambda, from below.
double optimum(const Examples& examples, double lambda, const std::string& nonnegative) {
  TrainOptions options = path_options("bcpfw");
  options.lambda = Lambda::of(lambda);
  options.relative_gap = kNear;
  options.nonnegative = nonnegative;
  return train(examples.problem(), options).progress.dual;
}

/// Values of lambda from above the first break point to the end of the path, evenly by logarithm.
std::vector<double> lambdas_over(const Path& path, int count) {
  const double high = std::log(3.0 * path.points().front().lambda);
  const double low = std::log(std::max(1e-3, path.lambda_end()));
  std::vector<double> lambdas;
  for (int k = 0; k < count; ++k) lambdas.push_back(std::exp(high - k * (high - low) / count));
  return lambdas;
}

void expect_guarantee(const Examples& examples, const Path& path, int count,
                      const std::string& nonnegative = "") {
  for (const double lambda : lambdas_over(path, count)) {
    const PathValue value = path.at(lambda);
    const double best = optimum(examples, lambda, nonnegative);
    const double primal = primal_at(examples.problem(), lambda, path.weights(lambda));
    const double slack = kNear * primal;
    EXPECT_TRUE(value.is_certified) << lambda;
    EXPECT_LE(primal, best + slack + path.epsilon()) << lambda;
    EXPECT_LE(primal, value.primal + 1e-9) << lambda;
    EXPECT_LE(value.dual, best + slack) << lambda;
    EXPECT_LE(value.gap(), path.epsilon() + 1e-9) << lambda;
  }
}

class PathTest : public ::testing::Test {
 protected:
  Examples examples(std::string_view task, Index count) { return samples(folder_, task, count); }
  std::string file() const { return folder_.path("p.path"); }

  ScratchFolder folder_;
};

TEST_F(PathTest, KeepsItsPromiseAtEveryLambda) {
  const Examples chains = examples("sequence", 12);
  const Path path = fit_path(chains, path_options(), path_settings(0.2));
  EXPECT_EQ(path.reason(), StopReason::kConverged);
  EXPECT_GT(path.points().size(), 5U);
  expect_guarantee(chains, path, 200);
}

TEST_F(PathTest, KeepsItsPromiseForEverySolverThatCanStartFromADualPoint) {
  const Examples classes = examples("multiclass", 20);
  int solved = 0;
  for (const SolverInfo& solver : solvers()) {
    const std::string name(solver.name);
    try {
      const Path path = fit_path(classes, path_options(name), path_settings(0.1, 1e-2));
      expect_guarantee(classes, path, 10);
      ++solved;
    } catch (const OptionError& error) {
      EXPECT_TRUE(!solver.has_dual || solver.objective != Objective::kL1 ||
                  says(error.what(), "start") || says(error.what(), "kernel") ||
                  says(error.what(), "factor graphs"))
          << name << ": " << error.what();
    }
  }
  EXPECT_GE(solved, 7);
}

TEST_F(PathTest, KeepsItsPromiseWithWeightsThatMustNotBeNegative) {
  const Examples graphs = examples("segmentation", 4);
  PathSettings settings = path_settings(0.0, 1.0);
  settings.epsilon.reset();  // the loss counts pixels
  settings.relative_epsilon = 0.05;
  const Path path = fit_path(graphs, path_options(), settings);
  expect_guarantee(graphs, path, 4, "edges");
}

TEST_F(PathTest, TakesProblemsWithoutAPlainDecode) {
  const Examples own = own_examples();
  const Path path = fit_path(own, path_options(), path_settings(0.05));
  expect_guarantee(own, path, 40);
}

TEST_F(PathTest, EndsWhereOnePointIsGoodForAllThatIsLeft) {
  const Examples classes = examples("multiclass", 20);
  const Path path = fit_path(classes, path_options(), path_settings(0.3, 1e-12));
  EXPECT_EQ(path.lambda_end(), 0.0);
  EXPECT_GT(path.points().back().lambda, 1e-12);
  EXPECT_LE(path.at(1e-15).gap(), 0.3);
}

TEST_F(PathTest, SaysWhereItEnds) {
  const Path path = fit_path(examples("sequence", 10), path_options(), path_settings(0.1, 0.5));
  ASSERT_GT(path.lambda_end(), 0.0);
  EXPECT_NO_THROW(path.at(path.lambda_end()));
  EXPECT_THROW(path.at(0.9 * path.lambda_end()), OptionError);
  EXPECT_THROW(path.at(0.0), OptionError);
  EXPECT_THROW(path.at(-1.0), OptionError);
}

TEST_F(PathTest, ComesBackFromItsFile) {
  const Examples chains = examples("sequence", 12);
  PathSettings settings = path_settings(0.2);
  settings.file = file();
  settings.test = samples(folder_, "sequence", 8, 2);
  const Path path = fit_path(chains, path_options(), settings);
  const Path again = load_path(file());
  ASSERT_EQ(again.points().size(), path.points().size());
  EXPECT_EQ(again.epsilon(), path.epsilon());
  EXPECT_EQ(again.lambda_end(), path.lambda_end());
  for (const double lambda : {50.0, 1.0, 0.05}) {
    EXPECT_EQ(again.weights(lambda), path.weights(lambda));
    const Metrics metrics = again.model(lambda).evaluate(*settings.test);
    ASSERT_FALSE(metrics.empty());
    EXPECT_EQ(again.model(lambda).settings().at("certified"), "yes");
  }
  ASSERT_TRUE(again.points().back().test);
  EXPECT_EQ(again.points().back().test->front().value, path.points().back().test->front().value);
}

/// Ends the path after some passes.
struct StopAfterPasses : PathObserver {
  explicit StopAfterPasses(int passes) : left(passes) {}
  void on_pass(const Progress&, const Snapshot&) override { --left; }
  bool wants_stop() override { return left <= 0; }
  int left;
};

TEST_F(PathTest, GoesOnBitForBitFromWhereverItWasStopped) {
  const Examples chains = examples("sequence", 12);
  PathSettings settings = path_settings(0.2);
  settings.checkpoint_seconds = 0.0;
  settings.file = folder_.path("whole.path");
  fit_path(chains, path_options(), settings);
  const std::string whole = read_file(settings.file);
  for (const int passes : {1, 2, 7, 15, 25}) {
    settings.file = folder_.path("part" + std::to_string(passes) + ".path");
    StopAfterPasses observer(passes);
    const Path part = fit_path(chains, path_options(), settings, observer);
    EXPECT_EQ(part.reason(), StopReason::kInterrupted);
    fit_path(chains, path_options(), settings);
    EXPECT_TRUE(read_file(settings.file) == whole) << passes;
  }
}

TEST_F(PathTest, ForgetsAPieceThatWasCutShort) {
  const Examples chains = examples("sequence", 12);
  PathSettings settings = path_settings(0.2);
  settings.checkpoint_seconds = 0.0;
  settings.file = file();
  fit_path(chains, path_options(), settings);
  const std::string whole = read_file(file());
  const std::size_t points = load_path(file()).points().size();
  write_file(file(), whole.substr(0, whole.size() - 5));
  EXPECT_EQ(load_path(file()).points().size(), points - 1);
  std::filesystem::remove(file() + ".state");
  const Path again = fit_path(chains, path_options(), settings);
  EXPECT_GE(again.points().size(), points);
  expect_guarantee(chains, again, 20);
}

TEST_F(PathTest, GrowsLongerAndFinerFromWhatIsThere) {
  const Examples chains = examples("sequence", 12);
  PathSettings settings = path_settings(0.4, 5.0);
  settings.file = file();
  const std::size_t first = fit_path(chains, path_options(), settings).points().size();
  settings.lambda_min = 0.1;
  const Path longer = fit_path(chains, path_options(), settings);
  EXPECT_GT(longer.points().size(), first);
  EXPECT_LE(longer.lambda_end(), 0.1);
  settings.epsilon = 0.1;
  const Path finer = fit_path(chains, path_options(), settings);
  EXPECT_GT(finer.points().size(), longer.points().size());
  expect_guarantee(chains, finer, 40);
}

TEST_F(PathTest, RefusesTheFileOfAnotherPath) {
  PathSettings settings = path_settings(0.4, 0.5);
  settings.file = file();
  fit_path(examples("sequence", 12), path_options(), settings);
  const auto message = [&](const Examples& other, const TrainOptions& options) {
    return message_of([&] { fit_path(other, options, settings); });
  };
  EXPECT_TRUE(says(message(examples("sequence", 13), path_options()), "other training data"));
  TrainOptions options = path_options();
  options.seed = 9;
  EXPECT_TRUE(says(message(examples("sequence", 12), options), "seed"));
  const std::string model = folder_.path("a.model");
  fit(examples("sequence", 12), testing::short_run()).model.save(model);
  EXPECT_TRUE(says(message_of([&] { load_path(model); }), "is a model, expected a path"));
}

TEST_F(PathTest, RefusesSettingsThatMakeNoPath) {
  const Examples chains = examples("sequence", 6);
  EXPECT_THROW(fit_path(chains, path_options("ssg"), path_settings(0.1)), OptionError);
  EXPECT_THROW(fit_path(chains, path_options("dcd"), path_settings(0.1)), OptionError);
  EXPECT_THROW(fit_path(chains, path_options(), path_settings(0.0)), OptionError);
  PathSettings settings = path_settings(0.1);
  settings.kappa = 1.0;
  EXPECT_THROW(fit_path(chains, path_options(), settings), OptionError);
}

TEST(PathValues, FollowFromOneCertificate) {
  PathPoint point;
  point.lambda = 2.0;
  point.primal = 1.0;
  point.dual = 0.9;
  point.squared_length = 0.4;
  // rho = 1/2: the primal loses lambda/4 |w|^2, the dual half of itself.
  const PathValue below = value_below(point, 1.0);
  EXPECT_DOUBLE_EQ(below.primal, 0.8);
  EXPECT_DOUBLE_EQ(below.dual, 0.45);
  // Delta = 0.9 - 0.4: a gap of 0.35 is reached at rho = 1/2.
  EXPECT_DOUBLE_EQ(reach_below(point, 0.35), 1.0);
  EXPECT_DOUBLE_EQ(reach_below(point, 0.05), 2.0);
  EXPECT_DOUBLE_EQ(reach_below(point, 0.7), 0.0);

  // t = 1/2: half of primal and dual, and half of what they are where w = 0.
  point.dual_loss = 1.3;
  const PathValue above = value_above(point, 4.0, 2.0);
  EXPECT_DOUBLE_EQ(above.factor, 0.5);
  EXPECT_DOUBLE_EQ(above.primal, 1.5);
  EXPECT_DOUBLE_EQ(above.dual, 1.1);
  EXPECT_DOUBLE_EQ(reach_above(point, 0.4, 2.0), 4.0);
  EXPECT_DOUBLE_EQ(reach_above(point, 0.05, 2.0), 2.0);
  EXPECT_TRUE(std::isinf(reach_above(point, 0.7, 2.0)));
}

}  // namespace
}  // namespace gapwise::internal
