// Kernel models from training to prediction, for the tasks that have them.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "solve/training.h"
#include "support/reading.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

/// Two classes that no straight line tells apart, and a third.
constexpr const char* kRings =
    "in 1:0.1 2:0.2\nin 1:-0.2 2:0.1\nin 2:-0.3\nin 1:0.2\n"
    "out 1:2\nout 1:-2\nout 2:2\nout 2:-2\nout 1:1.4 2:1.4\nout 1:-1.5 2:1.5\n"
    "far 3:5\nfar 3:4\n";

constexpr const char* kLetters =
    "1 1 0 a 0110\n1 2 0 b 1001\n1 3 0 a 0110\n2 1 0 b 0111\n2 2 0 b 1001\n3 1 0 c 1111\n"
    "3 2 0 a 0110\n4 1 0 c 1110\n4 2 0 b 1001\n4 3 0 c 1111\n";

constexpr const char* kConll = "x A\ny B\nz A\n\ny A\nx B\n\nz B\nz A\ny B\n";

struct Case {
  std::string task;
  const char* text;
};

class KernelModel : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    write_file(folder_.path("data"), GetParam().text);
    write_file(folder_.path("template"), "U:%x[0,0]\nU:%x[-1,0]\nB:%x[0,0]\n");
    driver_ = make_task_driver(GetParam().task);
    const OptionTable options = driver_->options();
    if (GetParam().text == kConll) set_option(options, "template", folder_.path("template"));
    if (GetParam().task != "sequence") set_option(options, "bias", "yes");
    set_ = driver_->read_training(source(), threads_);
  }

  DataSource source() const { return {folder_.path("data"), "", ""}; }

  ModelRecord train(KernelKind kernel) {
    TrainOptions options;
    options.solver = "kernel-bcfw";
    options.kernel = kernel;
    options.lambda = Lambda::of(1e-3);
    options.relative_gap = 1e-3;
    options.max_passes = 2000;
    Training training(set_->problem(), options);
    Observer nobody;
    const Report report = training.run(nobody);
    return set_->make_kernel_model(training.kernel()->expansion(report.w));
  }

  std::string predict(const ModelRecord& model) const {
    std::ostringstream out;
    driver_->open(model)->predict(source(), threads_, [&](std::string_view text) { out << text; });
    return out.str();
  }

  ScratchFolder folder_;
  Threads threads_{2};
  std::unique_ptr<TaskDriver> driver_;
  std::unique_ptr<TrainingSet> set_;
};

TEST_P(KernelModel, LearnsTheTrainingDataAndSurvivesAFile) {
  for (const KernelKind kernel : {KernelKind::kPolynomial, KernelKind::kRbf}) {
    const ModelRecord model = train(kernel);
    const Metrics metrics = driver_->open(model)->evaluate(source(), threads_);
    const auto right = std::find_if(metrics.begin(), metrics.end(), [](const auto& metric) {
      return metric.name == "accuracy" || metric.name == "token_accuracy";
    });
    EXPECT_EQ(right->value, 1.0);
    const ModelRecord again = decode_model(encode_model(model), "model");
    EXPECT_EQ(predict(again), predict(model));
    EXPECT_NO_THROW(driver_->open(again)->top_weights(5));
  }
}

/// The same weights in both forms score alike.
TEST_P(KernelModel, WithALinearKernelPredictsAsTheLinearModelDoes) {
  const ModelRecord kernel = train(KernelKind::kLinear);
  TrainOptions options;
  options.solver = "bcfw";
  options.lambda = Lambda::of(1e-3);
  options.relative_gap = 1e-3;
  options.max_passes = 2000;
  const Report report = gapwise::train(set_->problem(), options);
  EXPECT_EQ(predict(kernel), predict(set_->make_model(report.w)));
}

TEST_P(KernelModel, IsRefusedIfItDoesNotFitTogether) {
  const ModelRecord good = train(KernelKind::kRbf);
  const auto refuses = [&](auto spoil) {
    ModelRecord model = good;
    spoil(model);
    EXPECT_NE(message_of([&] { driver_->open(model); }), "no error");
  };
  refuses([](ModelRecord& model) { model.settings["kernel"] = "cosine"; });
  refuses([](ModelRecord& model) { model.settings.erase("kernel-gamma"); });
  refuses([](ModelRecord& model) { model.settings["kernel-gamma"] = "nan"; });
  refuses([](ModelRecord& model) { model.settings["kernel-offset"] = "-1"; });
  refuses([](ModelRecord& model) { model.settings["kernel-degree"] = "0"; });
  refuses([](ModelRecord& model) { model.numbers.erase("support-sizes"); });
  refuses([](ModelRecord& model) { model.numbers["support-sizes"][0] = -1; });
  refuses([](ModelRecord& model) { ++model.numbers["support-sizes"].back(); });
  refuses([](ModelRecord& model) { --model.numbers["support-sizes"].back(); });
  refuses([](ModelRecord& model) { model.numbers["support-attributes"][0] = -1; });
  refuses([](ModelRecord& model) { model.numbers["support-attributes"][0] = 1000; });
  refuses([](ModelRecord& model) { model.w.pop_back(); });
  refuses([](ModelRecord& model) { model.settings.erase("kernel"); });
}

INSTANTIATE_TEST_SUITE_P(Tasks, KernelModel,
                         ::testing::Values(Case{"multiclass", kRings}, Case{"sequence", kLetters},
                                           Case{"sequence", kConll}),
                         [](const auto& test) {
                           return test.param.task + std::to_string(test.index);
                         });

TEST(KernelModelSlow, AnRbfKernelBeatsTheLinearModelOnDigits) {
  const std::string folder = GAPWISE_SHARED_DATA;
  if (!std::filesystem::exists(folder + "/usps/usps.train.svm.gz")) {
    GTEST_SKIP() << "no usps data in '" << folder << "'";
  }
  const Threads threads;
  const auto driver = make_task_driver("multiclass");
  const auto set = driver->read_training({folder + "/usps/usps.train.svm.gz", "", ""}, threads);
  const auto accuracy = [&](const TrainOptions& options) {
    Training training(set->problem(), options);
    Observer nobody;
    const Report report = training.run(nobody);
    EXPECT_EQ(report.reason, StopReason::kConverged);
    const ModelRecord model = training.kernel() != nullptr
                                  ? set->make_kernel_model(training.kernel()->expansion(report.w))
                                  : set->make_model(report.w);
    return driver->open(model)
        ->evaluate({folder + "/usps/usps.test.svm.gz", "", ""}, threads)[0]
        .value;
  };
  TrainOptions linear;
  linear.lambda = Lambda::of(1e-2);  // the best of 1e-1, 1e-2, 1e-3, 1/n
  linear.relative_gap = 0.05;
  TrainOptions rbf;
  rbf.solver = "kernel-bcfw";
  rbf.kernel = KernelKind::kRbf;
  rbf.kernel_gamma = 0.01;
  rbf.relative_gap = 0.05;
  EXPECT_GT(accuracy(rbf), accuracy(linear) + 0.02);
}

}  // namespace
}  // namespace gapwise::internal
