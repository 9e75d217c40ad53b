// The choice of lambda by examples that were not trained on.

#include "gapwise/lambda_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/small_data.h"
#include "gapwise/argmax_problem.h"
#include "gapwise/fit.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

using testing::own_examples;
using testing::sample_file;
using testing::samples;
using testing::says;

TrainOptions options_of(const std::string& solver = "auto") {
  return testing::bounded_run(solver, 20);
}

LambdaSearchSettings grid_search(Index folds) {
  LambdaSearchSettings settings;
  settings.path.grid = parse_grid("10:0.001:10");
  settings.path.has_clock = false;
  settings.folds = folds;
  return settings;
}

class LambdaSearchTest : public ::testing::Test {
 protected:
  Examples examples(std::string_view task, Index count) { return samples(folder_, task, count); }

  ScratchFolder folder_;
};

void expect_same(const LambdaSearch& a, const LambdaSearch& b) {
  ASSERT_EQ(a.table.size(), b.table.size());
  for (std::size_t k = 0; k < a.table.size(); ++k) {
    EXPECT_EQ(a.table[k].lambda, b.table[k].lambda);
    EXPECT_EQ(a.table[k].scores, b.table[k].scores);
    EXPECT_EQ(a.table[k].oracle_calls, b.table[k].oracle_calls);
  }
  EXPECT_EQ(a.chosen, b.chosen);
}

TEST(ParseGrid, TakesRangesAndLists) {
  const std::vector<double> powers = parse_grid("2^15:2^-15");
  ASSERT_EQ(powers.size(), 31U);
  EXPECT_EQ(powers.front(), 32768.0);
  EXPECT_EQ(powers.back(), std::ldexp(1.0, -15));
  EXPECT_EQ(parse_grid("2^-2:2^2"), parse_grid("4:0.25"));
  EXPECT_EQ(parse_grid("0.1,10,1"), (std::vector<double>{10.0, 1.0, 0.1}));
  EXPECT_EQ(parse_grid("100:1:10").size(), 3U);
  for (const char* bad : {"", "0", "1:0", "-1,1", "1:0.1:1", "1:2:3:4", "a:b", "1:1e-300:1.001"}) {
    EXPECT_THROW(parse_grid(bad), OptionError) << bad;
  }
}

TEST_F(LambdaSearchTest, WorksForEveryTaskAndDoesNotDependOnThreads) {
  for (const std::string_view task : task_names()) {
    const Index count = task == "segmentation" || task == "pose" ? 6 : 20;
    const Examples some = examples(task, count);
    LambdaSearchSettings settings = grid_search(3);
    settings.path.grid = {1.0, 0.01};
    TrainOptions options = options_of();
    const LambdaSearch one = search_lambda(some, options, settings);
    ASSERT_EQ(one.table.size(), 2U) << task;
    EXPECT_EQ(one.table.front().scores.size(), 3U) << task;
    EXPECT_TRUE(one.table.front().error.has_value()) << task;
    options.threads = 3;
    expect_same(one, search_lambda(some, options, settings));
  }
}

TEST_F(LambdaSearchTest, ScoresAsATrainingOnTheOtherPartsWould) {
  const Examples train = examples("multiclass", 30);
  const DataSource test = sample_file(folder_, "multiclass", 25, 2);
  LambdaSearchSettings settings = grid_search(0);
  settings.path.test = open_examples("multiclass", test);
  settings.path.starts_warm = false;
  const LambdaSearch search = search_lambda(train, options_of(), settings);
  ASSERT_EQ(search.table.size(), 5U);
  for (const LambdaScore& row : search.table) {
    TrainOptions options = options_of();
    options.lambda = Lambda::of(row.lambda);
    const Metrics metrics = fit(train, options).model.evaluate(*settings.path.test);
    EXPECT_EQ(row.mean, main_metric(metrics)->value) << row.lambda;
    EXPECT_FALSE(row.error.has_value());
    EXPECT_LE(row.mean, search.table[search.best].mean);
  }
}

TEST_F(LambdaSearchTest, TakesSolversOfEveryKind) {
  const Examples classes = examples("multiclass", 24);
  const Examples sets = examples("multilabel", 24);
  ASSERT_TRUE(offers(classes.problem(), Capability::kMeans));
  for (const SolverInfo& solver : solvers()) {
    if (solver.name == "kernel-bcfw") continue;
    const bool needs_graphs =
        std::count(solver.needs.begin(), solver.needs.end(), Capability::kFactorGraphs) > 0;
    for (const bool is_warm : {true, false}) {
      LambdaSearchSettings settings = grid_search(2);
      settings.path.grid = {1.0, 0.1};
      settings.path.starts_warm = is_warm;
      const LambdaSearch search = search_lambda(needs_graphs ? sets : classes,
                                                options_of(std::string(solver.name)), settings);
      EXPECT_EQ(search.table.size(), 2U) << solver.name;
    }
  }
}

TEST_F(LambdaSearchTest, StartsEachValueWhereTheOneBeforeEnded) {
  const Examples chains = examples("sequence", 40);
  for (const char* solver : {"auto", "bcpfw", "dcd"}) {
    TrainOptions options = options_of(solver);
    options.max_passes = 10'000;
    PathSettings settings;
    settings.grid = parse_grid("1:0.05:2");
    Index calls[2] = {0, 0};
    for (const bool is_warm : {false, true}) {
      settings.starts_warm = is_warm;
      const Path path = fit_path(chains, options, settings);
      for (const PathPoint& point : path.points()) {
        calls[is_warm ? 1 : 0] += point.oracle_calls;
        EXPECT_LE(point.gap(), 0.01 * point.primal + 1e-12) << solver << point.lambda;
      }
    }
    EXPECT_LT(calls[1], calls[0]) << solver;
  }
}

TEST_F(LambdaSearchTest, GoesAlongAPathAsWell) {
  LambdaSearchSettings settings;
  settings.folds = 3;
  settings.path.lambda_min = 1e-2;
  const LambdaSearch search = search_lambda(examples("sequence", 30), options_of(), settings);
  EXPECT_GT(search.table.size(), 3U);
  for (std::size_t k = 1; k < search.table.size(); ++k) {
    EXPECT_LT(search.table[k].lambda, search.table[k - 1].lambda);
  }
}

TEST_F(LambdaSearchTest, ChoosesByTheMetricAndTheRuleThatWereAskedFor) {
  const Examples sets = examples("multilabel", 60);
  LambdaSearchSettings settings = grid_search(4);
  settings.path.grid = parse_grid("100:0.0001:4");
  settings.select = "exact";
  const LambdaSearch best = search_lambda(sets, options_of(), settings);
  EXPECT_EQ(best.metric, "exact");
  EXPECT_EQ(best.chosen, best.best);
  settings.one_standard_error = true;
  const LambdaSearch simple = search_lambda(sets, options_of(), settings);
  EXPECT_LE(simple.chosen, simple.best);
  const LambdaScore& row = simple.table[simple.chosen];
  EXPECT_GE(row.mean, simple.table[simple.best].mean - *simple.table[simple.best].error);
  settings.select = "beauty";
  try {
    search_lambda(sets, options_of(), settings);
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_TRUE(says(error.what(), "exact"));
  }
}

TEST_F(LambdaSearchTest, KeepsGroupsTogether) {
  // Pairs of equal examples: whoever tears them apart is tested on what it was trained on.
  ExampleRows rows("multiclass");
  Rng rng(1);
  LambdaSearchSettings settings = grid_search(4);
  for (int i = 0; i < 40; ++i) {
    const std::string label = rng.uniform() < 0.5 ? "a" : "b";
    const Index feature = i + 1;
    for (int twin = 0; twin < 2; ++twin) {
      rows.feature(feature, 1.0).label(label);
      rows.end_example();
      settings.groups.push_back(std::to_string(i));
    }
  }
  const Examples twins = rows.finish();
  const double apart = search_lambda(twins, options_of(), settings).table.back().mean;
  settings.groups.clear();
  const double torn = search_lambda(twins, options_of(), settings).table.back().mean;
  EXPECT_LT(apart, 0.75);
  EXPECT_GT(torn, 0.8);
}

TEST_F(LambdaSearchTest, GoesOnFromItsFiles) {
  const Examples chains = examples("sequence", 30);
  LambdaSearchSettings settings = grid_search(2);
  settings.path.file = folder_.path("s");
  settings.path.checkpoint_seconds = 0.0;
  const LambdaSearch whole = search_lambda(chains, options_of(), settings);
  const std::string bytes = read_file(folder_.path("s.fold2"));

  struct StopsSoon final : LambdaSearchObserver {
    bool wants_stop() override { return ++asked > 400; }
    int asked = 0;
  } soon;
  for (const char* file : {"s.fold1", "s.fold2", "s.fold1.state", "s.fold2.state"}) {
    std::filesystem::remove(folder_.path(file));
  }
  EXPECT_EQ(search_lambda(chains, options_of(), settings, soon).reason, StopReason::kInterrupted);
  EXPECT_TRUE(read_file(folder_.path("s.fold2")) != bytes);
  expect_same(whole, search_lambda(chains, options_of(), settings));
  EXPECT_TRUE(read_file(folder_.path("s.fold2")) == bytes);
}

TEST_F(LambdaSearchTest, AFitChoosesByItself) {
  const Examples chains = examples("sequence", 60);
  TrainOptions options = options_of();
  options.lambda = Lambda::chosen();
  const Fit automatic = fit(chains, options);
  LambdaSearchSettings quick;
  quick.is_quick = true;
  const LambdaSearch search = search_lambda(chains, options, quick);
  EXPECT_EQ(automatic.report.lambda, search.lambda());
  options.lambda = Lambda::of(search.lambda());
  EXPECT_TRUE(fit(chains, options).model.bytes() == automatic.model.bytes());
  EXPECT_THROW(train(chains.problem(),
                     [] {
                       TrainOptions single;
                       single.lambda = Lambda::chosen();
                       return single;
                     }()),
               OptionError);
}

TEST_F(LambdaSearchTest, RefusesWhatMakesNoSense) {
  const Examples chains = examples("sequence", 10);
  LambdaSearchSettings settings = grid_search(1);
  EXPECT_THROW(search_lambda(chains, options_of(), settings), OptionError);
  settings.folds = 11;
  EXPECT_THROW(search_lambda(chains, options_of(), settings), OptionError);
  settings.folds = 0;
  settings.one_standard_error = true;
  EXPECT_THROW(search_lambda(chains, options_of(), settings), OptionError);
  settings = grid_search(2);
  settings.path.grid = {1.0, 2.0};
  EXPECT_THROW(search_lambda(chains, options_of(), settings), OptionError);
  EXPECT_THROW(search_lambda(own_examples(), options_of(), grid_search(2)), OptionError);
  EXPECT_THROW(search_lambda(chains, options_of("kernel-bcfw"), grid_search(2)), OptionError);
}

TEST_F(LambdaSearchTest, WeightsThatMustNotBeNegativeAreNotFromTheBeginning) {
  LambdaSearchSettings settings;
  settings.is_quick = true;
  const LambdaSearch found = search_lambda(examples("pose", 20), options_of(), settings);
  EXPECT_FALSE(found.table.empty());
}

TEST_F(LambdaSearchTest, AProblemOfOnesOwnIsScoredByItsLoss) {
  // The truth is 0 where x is negative and 1 elsewhere; the weight is that of the sign of x.
  const auto argmax = [](double cost) {
    return [cost](Index i, Weights w, Corner& out) {
      const double x = static_cast<double>(i % 11) - 4.5;
      if (std::abs(x) * w[0] >= cost) return;
      out.parts.collect(0, std::abs(x));
      out.loss = 1.0;
    };
  };
  const Examples examples(make_argmax_problem(40, 1, argmax(1.0), argmax(1e-9)));
  const LambdaSearch found = search_lambda(examples, options_of(), grid_search(2));
  EXPECT_EQ(found.metric, "loss");
  EXPECT_EQ(found.better, Better::kLower);
  EXPECT_EQ(found.table[found.best].mean, 0.0);
  EXPECT_EQ(found.table.front().scores.size(), 2U);
  TrainOptions options = options_of();
  options.lambda = Lambda::chosen();
  EXPECT_EQ(fit(examples, options).train_loss, 0.0);
}

TEST_F(LambdaSearchTest, AGridKnowsItsPointsOnly) {
  PathSettings settings;
  settings.grid = {1.0, 0.1};
  const Path path = fit_path(examples("sequence", 10), options_of("sgd"), settings);
  EXPECT_TRUE(path.is_grid());
  EXPECT_FALSE(path.at(0.1).is_certified);
  EXPECT_EQ(path.model(0.1).settings().at("lambda"), "0.1");
  EXPECT_THROW(path.at(0.5), OptionError);
}

}  // namespace
}  // namespace gapwise::internal
