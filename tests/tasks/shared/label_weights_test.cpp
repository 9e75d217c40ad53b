// Weights of labels: what rules say, and what wrong labels cost by them.

#include "io/label_weights.h"

#include <gtest/gtest.h>

#include "gapwise/check_oracle.h"
#include "gapwise/errors.h"
#include "gapwise/train.h"
#include "io/files.h"
#include "support/problems.h"
#include "support/refusals.h"
#include "support/scratch_folder.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

Alphabet some_labels() {
  const std::vector<std::string> names{"cat", "dog", "eel"};
  return Alphabet::from_names(names);
}
const std::vector<Index> kCounts{6, 3, 0};

std::vector<double> weights_of_file(const std::string& text) {
  const ScratchFolder folder;
  write_file(folder.path("weights"), text);
  return label_weights(folder.path("weights"), some_labels(), kCounts);
}

TEST(LabelWeights, FollowTheRule) {
  EXPECT_TRUE(label_weights("", some_labels(), kCounts).empty());
  EXPECT_EQ(label_weights("balanced", some_labels(), kCounts),
            (std::vector<double>{0.75, 1.5, 1.0}));
  EXPECT_EQ(weights_of_file("# rare ones\neel 4\n\ncat 0.5\n"),
            (std::vector<double>{0.5, 1.0, 4.0}));
  const PresenceCosts costs = presence_costs("balanced", some_labels(), kCounts, 8);
  EXPECT_EQ(costs.missed, (std::vector<double>{4.0 / 6.0, 4.0 / 3.0, 1.0}));
  EXPECT_EQ(costs.invented, (std::vector<double>{2.0, 0.8, 0.5}));
}

TEST(LabelWeights, FilesOfAnythingElseAreRefused) {
  for (const char* text :
       {"cat", "cat x", "cat 0", "cat -1", "cat inf", "cow 1", "cat 1\ncat 2", "cat 1 2"}) {
    try {
      weights_of_file(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("weights:"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(label_weights("no-such-file", some_labels(), kCounts), InputError);
}

const std::vector<double> kWeights{2.5, 0.5, 1.25};

TEST(LabelWeights, AreWhatWrongTokensCost) {
  for (const SequenceLoss loss : {SequenceLoss::kHamming, SequenceLoss::kNormalizedHamming}) {
    const auto chains =
        testing::random_chains({.loss = loss, .variant = {.label_weights = kWeights}, .seed = 12});
    const auto loss_of = [&](Index i, const Corner& y) {
      const int length = chains.data->length(i);
      double sum = 0.0;
      for (const Part& part : y.parts) {
        const bool is_lost = part.id < 3 * length && part.value > 0.0;
        if (is_lost) sum += kWeights[static_cast<std::size_t>(part.id % 3)];
      }
      return loss == SequenceLoss::kHamming ? sum : sum / length;
    };
    EXPECT_NO_THROW(check_oracle(*chains.problem, {.loss = loss_of}));
    const auto plain = testing::random_chains({.loss = loss, .seed = 12});
    EXPECT_NE(chains.problem->fingerprint(), plain.problem->fingerprint());
  }
  EXPECT_THROW(validate(SequenceVariant{.rescaling = Rescaling::kSlack, .label_weights = kWeights}),
               OptionError);
}

/// Every solver certifies the same optimum.
TEST(LabelWeights, HaveCertificates) {
  const auto problem =
      testing::random_chains({.variant = {.label_weights = kWeights}, .seed = 13}).problem;
  std::map<Objective, std::pair<double, double>> bounds;
  for (const SolverInfo& solver : solvers()) {
    if (!solver.has_dual || testing::may_refuse(solver.name, *problem)) continue;
    TrainOptions options;
    options.solver = solver.name;
    options.lambda = Lambda::of(0.1);
    options.threads = 1;
    options.relative_gap = 0.02;
    options.max_passes = 100'000;
    const Report report = train(*problem, options);
    EXPECT_EQ(report.reason, StopReason::kConverged) << solver.name;
    auto& [lower, upper] =
        bounds.try_emplace(solver.objective, std::pair{-1e300, 1e300}).first->second;
    lower = std::max(lower, report.progress.dual);
    upper = std::min(upper, *report.progress.primal);
    EXPECT_LE(lower, upper + 1e-12) << solver.name;
  }
}

TEST(LabelWeights, MultiplyTheCostsOfClasses) {
  const ScratchFolder folder;
  write_file(folder.path("data"), "a 1:1\nb 2:1\nb 1:1 2:1\n");
  write_file(folder.path("weights"), "a 3\n");
  const auto driver = make_task_driver("multiclass");
  set_option(driver->options(), "label-weights", folder.path("weights"));
  const auto training = driver->read_training({folder.path("data"), "", ""}, Threads(1));
  const auto oracle = training->problem().make_oracle();
  PartScores theta;
  Corner corner;
  const std::vector<double> w(static_cast<std::size_t>(training->problem().dimension()), 0.0);
  oracle->argmax(0, w, theta, corner);
  EXPECT_EQ(corner.loss, 3.0);
  oracle->argmax(1, w, theta, corner);
  EXPECT_EQ(corner.loss, 1.0);
  EXPECT_EQ(training->make_model(w).settings.at("label_weights"), folder.path("weights"));
}

}  // namespace
}  // namespace gapwise::internal
