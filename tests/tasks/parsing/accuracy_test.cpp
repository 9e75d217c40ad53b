// How well sentences of public treebanks are parsed after a few passes.

#include <gtest/gtest.h>

#include <filesystem>

#include "gapwise/train.h"
#include "io/files.h"
#include "io/lines.h"
#include "support/scratch_folder.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

const std::filesystem::path kData = GAPWISE_SHARED_DATA;

class ParsingAccuracy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kData / "wsj-sample-dep")) {
      GTEST_SKIP() << "the public treebanks are not at hand: '" GAPWISE_SHARED_DATA "'";
    }
  }
  /// The unlabelled attachment score on `test` after `passes` over `train`.
  double attachment(const std::string& train, const std::string& test, Index passes) {
    set_option(driver_->options(), "labelled", "no");
    const auto set = driver_->read_training({train, "", ""}, threads_);
    TrainOptions options;
    options.solver = "bcfw";
    options.max_passes = passes;
    options.average = Average::kWeighted;
    const Report report = gapwise::train(set->problem(), options);
    const auto predictor = driver_->open(set->make_model(report.w));
    const Metrics metrics = predictor->evaluate({test, "", ""}, threads_);
    EXPECT_EQ(metrics.front().name, "uas");
    return metrics.front().value;
  }

  Threads threads_;
  std::unique_ptr<TaskDriver> driver_ = make_task_driver("parsing");
};

TEST_F(ParsingAccuracy, SlowHoldsOnTheEndOfThePennTreebankSample) {
  constexpr int kTrainingSentences = 3500;
  LineReader lines((kData / "wsj-sample-dep/wsj_sample.dep.gz").string());
  std::string train;
  std::string test;
  std::string_view line;
  int sentences = 0;
  while (lines.next(line)) {
    std::string& part = sentences < kTrainingSentences ? train : test;
    part.append(line).push_back('\n');
    sentences += line.empty() ? 1 : 0;
  }
  EXPECT_EQ(sentences, 3914);
  const ScratchFolder folder;
  write_file(folder.path("train"), train);
  write_file(folder.path("test"), test);
  EXPECT_GE(attachment(folder.path("train"), folder.path("test"), 5), 0.88);
}

TEST_F(ParsingAccuracy, SlowHoldsOnUniversalDependencies) {
  const auto folder = kData / "ud-english-ewt";
  EXPECT_GE(attachment((folder / "en_ewt-ud-train.conllu.gz").string(),
                       (folder / "en_ewt-ud-dev.conllu.gz").string(), 3),
            0.86);
}

}  // namespace
}  // namespace gapwise::internal
