// Labels that are not known, from the outside.

#include <gtest/gtest.h>

#include "app/small_data.h"

namespace gapwise::internal {
namespace {

using testing::samples;

/// The labels of a CoNLL text with every k-th one hidden.
std::string hide(std::string text, int every) {
  int token = 0;
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    const bool is_hidden = !line.empty() && ++token % every == 0;
    result += (is_hidden ? line.substr(0, line.find(' ')) + " ?" : line) + "\n";
    begin = end + 1;
  }
  return result;
}

struct Sentences {
  explicit Sentences(int every) {
    Rng rng(3);
    const std::string text = make_task_driver("sequence")->sample(60, rng);
    write_file(folder.path("hidden"), hide(text, every));
    write_file(folder.path("full"), text);
  }
  Examples hidden() const { return read_examples("sequence", {folder.path("hidden"), "", ""}); }
  Examples full() const { return open_examples("sequence", {folder.path("full"), "", ""}); }

  ScratchFolder folder;
};

struct Rounds final : Observer {
  void on_round(const LabelRound& round) override { seen.push_back(round); }
  std::vector<LabelRound> seen;
};

TEST(LabelRounds, AreEachCertifiedAndGiveAnOrdinaryModel) {
  const Sentences sentences(3);
  FitSettings settings;
  settings.label_rounds = 4;
  settings.test = sentences.full();
  TrainOptions options;
  options.threads = 1;
  Rounds observer;
  const Fit done = fit(sentences.hidden(), options, observer, settings);
  ASSERT_TRUE(done.label_rounds);
  EXPECT_GT(done.label_rounds->unknown, 50);
  ASSERT_FALSE(observer.seen.empty());
  EXPECT_EQ(observer.seen.size(), done.label_rounds->rounds.size());
  EXPECT_EQ(observer.seen.front().changed, done.label_rounds->unknown);
  for (const LabelRound& round : observer.seen) {
    EXPECT_TRUE(round.progress.is_certified);
    EXPECT_LE(*round.progress.relative_gap(), 0.02);
  }
  EXPECT_GT(observer.seen.front().progress.n, 60) << "runs of what is known";
  EXPECT_EQ(done.report.progress.n, 60);
  EXPECT_EQ(done.model.settings().at("completed_labels"),
            std::to_string(done.label_rounds->unknown));
  for (const std::string& label : done.model.names("labels")) EXPECT_NE(label, "?");
  EXPECT_GT((*done.test)[1].value, 0.8) << (*done.test)[1].name;
}

TEST(LabelRounds, DoNotDependOnThreads) {
  const Sentences sentences(2);
  TrainOptions options;
  options.threads = 1;
  const std::string once = fit(sentences.hidden(), options).model.bytes();
  options.threads = 2;
  EXPECT_EQ(fit(sentences.hidden(), options).model.bytes(), once);
}

TEST(LabelRounds, GoWithEverySolverThatHasWeights) {
  const Sentences sentences(2);
  TrainOptions options;
  options.max_passes = 2;
  for (const char* solver : {"bcfw", "eg", "dcd", "ssg"}) {
    options.solver = solver;
    EXPECT_TRUE(fit(sentences.hidden(), options).label_rounds) << solver;
  }
}

TEST(LabelRounds, AreNoneIfAllIsKnown) {
  const Sentences sentences(2);
  EXPECT_FALSE(fit(sentences.full()).label_rounds);
}

TEST(LabelRounds, RefuseWhatHasNoMeaning) {
  const Sentences sentences(2);
  const Examples hidden = sentences.hidden();
  TrainOptions options;
  options.lambda.is_auto = true;
  EXPECT_THROW(fit(hidden, options), OptionError);
  options = {};
  options.keep_outputs = true;
  EXPECT_THROW(fit(hidden, options), OptionError);
  options = {};
  options.solver = "kernel-bcfw";
  EXPECT_THROW(fit(hidden, options), OptionError);
  FitSettings settings;
  settings.label_rounds = 1;
  EXPECT_THROW(fit(hidden, {}, settings), OptionError);
  EXPECT_THROW(hidden.with_weights({1.0}), InputError);
  EXPECT_THROW(fit_path(hidden, {}, {}), InputError);
}

TEST(LabelRounds, EndWhenInterrupted) {
  const Sentences sentences(2);
  std::atomic<bool> stop = true;
  FitSettings settings;
  settings.stop = &stop;
  const Fit done = fit(sentences.hidden(), {}, settings);
  EXPECT_EQ(done.report.reason, StopReason::kInterrupted);
  EXPECT_EQ(done.label_rounds->rounds.size(), 1U);
}

}  // namespace
}  // namespace gapwise::internal
