#include <gtest/gtest.h>

#include <filesystem>

#include "gapwise/train.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

/// hamming_accuracy on the test set after training to a relative gap of 2 % at lambda = 1/n.
double test_accuracy(const std::string& name) {
  const std::string path =
      std::string(GAPWISE_SHARED_DATA) + "/multilabel-" + name + "/" + name + "-";
  const Threads threads(1);
  const auto driver = make_task_driver("multilabel");
  const auto training = driver->read_training({path + "train.svm.gz", "", ""}, threads);
  TrainOptions options;
  options.lambda = Lambda::over_n(1.0);
  options.relative_gap = 0.02;
  options.threads = 1;
  const Report report = train(training->problem(), options);
  EXPECT_EQ(report.reason, StopReason::kConverged) << name;
  EXPECT_TRUE(report.progress.is_certified) << name;
  const Metrics metrics = driver->open(training->make_model(report.w))
                              ->evaluate({path + "test.svm.gz", "", ""}, threads);
  EXPECT_EQ(metrics[0].name, "hamming_accuracy");
  return metrics[0].value;
}

TEST(MultilabelData, AreLearnedAsWellAsTheyShould) {
  if (!std::filesystem::exists(GAPWISE_SHARED_DATA)) {
    GTEST_SKIP() << "the public data sets are not at hand: '" GAPWISE_SHARED_DATA "'";
  }
  EXPECT_GE(test_accuracy("yeast"), 0.79);
  EXPECT_GE(test_accuracy("scene"), 0.89);
  EXPECT_GE(test_accuracy("medical"), 0.98);
}

}  // namespace
}  // namespace gapwise::internal
