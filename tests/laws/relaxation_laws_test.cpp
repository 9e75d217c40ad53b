// What every task with an option `inference` promises of its relaxation: corners of the local
// polytope, none of which is worse than an output, and one optimum for all solvers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "gapwise/check_oracle.h"
#include "solve/training.h"
#include "support/graph_outputs.h"
#include "support/identifier.h"
#include "support/problems.h"
#include "support/run_options.h"
#include "support/scratch_folder.h"
#include "support/tasks_where.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

using testing::graph_output;

bool has_inference(TaskDriver& driver) {
  const OptionTable table = driver.options();
  return std::any_of(table.begin(), table.end(),
                     [](const Option& option) { return option.name == "inference"; });
}

/// A sample of a task, read twice.
struct Pair {
  explicit Pair(const std::string& task) {
    Rng rng(3);
    std::ofstream(folder.path("data"), std::ios::binary) << make_task_driver(task)->sample(12, rng);
    exact = read(task, "exact");
    relaxed = read(task, "lp");
  }
  std::unique_ptr<TrainingSet> read(const std::string& task, const char* inference) const {
    const auto driver = make_task_driver(task);
    set_option(driver->options(), "inference", inference);
    return driver->read_training({folder.path("data"), "", ""}, Threads(1));
  }

  ScratchFolder folder;
  std::unique_ptr<TrainingSet> exact;
  std::unique_ptr<TrainingSet> relaxed;
};

class RelaxationLaws : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> tasks_with_inference() {
  return testing::tasks_where(
      [](const std::string& name) { return has_inference(*make_task_driver(name)); });
}
INSTANTIATE_TEST_SUITE_P(Every, RelaxationLaws, ::testing::ValuesIn(tasks_with_inference()),
                         [](const auto& test) { return testing::identifier(test.param); });

/// Of the example that has most.
double num_assignments(const Problem& problem) {
  const FactorGraphs& graphs = *problem.factor_graphs();
  double most = 0.0;
  for (Index i = 0; i < problem.num_blocks(); ++i) {
    double count = 1.0;
    const FactorGraph& graph = graphs.graph(i);
    for (Index v = 0; v < graph.num_variables(); ++v)
      count *= static_cast<double>(graph.num_states(v));
    most = std::max(most, count);
  }
  return most;
}

bool is_fractional(const Corner& corner) {
  return std::any_of(corner.parts.begin(), corner.parts.end(),
                     [](const Part& part) { return part.value != std::round(part.value); });
}

TEST_P(RelaxationLaws, ProblemsSayWhetherTheyAreRelaxed) {
  const Pair pair(GetParam());
  EXPECT_FALSE(pair.exact->problem().is_relaxed());
  EXPECT_TRUE(pair.relaxed->problem().is_relaxed());
  EXPECT_NE(pair.exact->problem().fingerprint(), pair.relaxed->problem().fingerprint());
  EXPECT_FALSE(pair.relaxed->problem().make_oracle()->has_recognition());
}

TEST_P(RelaxationLaws, CornersAreAtLeastAsGoodAsAllOutputs) {
  const Pair pair(GetParam());
  const FactorGraphs& graphs = *pair.relaxed->problem().factor_graphs();
  if (num_assignments(pair.relaxed->problem()) > 1e5) {
    GTEST_SKIP() << "too many outputs of a sample to look at all; the optima are compared below";
  }
  int fractional = 0;
  testing::for_random_decodings(
      pair.relaxed->problem(), 60, [&](const testing::Decoding& decoding, Oracle&) {
        EXPECT_TRUE(decoding.corner.is_exact);
        EXPECT_GE(decoding.corner.loss, 0.0);
        double best = -INFINITY;
        testing::for_each_assignment(
            graphs.graph(decoding.i), [&](const std::vector<std::int32_t>& y) {
              const auto output = graph_output(graphs, decoding.i, y);
              best = std::max(best, violation(decoding.has_loss() ? output.loss : 0.0, output.parts,
                                              decoding.theta));
            });
        EXPECT_GE(decoding.value(), best - 1e-9 * (1.0 + std::abs(best)));
        if (is_fractional(decoding.corner)) {
          ++fractional;
        } else {
          EXPECT_NEAR(decoding.value(), best, 1e-9 * (1.0 + std::abs(best)));
        }
      });
  EXPECT_GT(fractional, 0) << "no corner was fractional";
}

TEST_P(RelaxationLaws, OraclesKeepTheirContract) {
  const Pair pair(GetParam());
  EXPECT_NO_THROW(check_oracle(pair.relaxed->problem()));
}

TEST_P(RelaxationLaws, SolversAgreeOnOneOptimumThatIsNoLessThanTheExactOne) {
  const Pair pair(GetParam());
  const auto train_with = [](const Problem& problem, const char* solver) {
    return train(problem, testing::options_to_gap(solver, 0.01)).progress;
  };
  double lower = 0.0;
  double upper = 1e300;
  for (const char* solver : {"auto", "bcfw", "bcpfw", "mpbcfw", "fw", "one-slack"}) {
    const Progress progress = train_with(pair.relaxed->problem(), solver);
    EXPECT_TRUE(progress.is_certified) << solver;
    lower = std::max(lower, progress.dual);
    upper = std::min(upper, *progress.primal);
  }
  EXPECT_LE(lower, upper * (1.0 + 1e-9));
  EXPECT_GE(upper, train_with(pair.exact->problem(), "auto").dual);
}

TEST_P(RelaxationLaws, RunsDoNotDependOnThreads) {
  const Pair one(GetParam());
  const Pair two(GetParam());
  TrainOptions options;
  options.max_passes = 6;
  options.relative_gap = 0.0;
  options.threads = 1;
  const Report alone = train(one.relaxed->problem(), options);
  options.threads = 3;
  EXPECT_EQ(train(two.relaxed->problem(), options).w, alone.w);
}

}  // namespace
}  // namespace gapwise::internal
