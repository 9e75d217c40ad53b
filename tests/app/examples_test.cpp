// Where examples come from: files that are read at once or when they are needed, and rows.

#include <gtest/gtest.h>

#include <array>

#include "app/small_data.h"

namespace gapwise::internal {
namespace {

using testing::sample_file;
using testing::sample_of;
using testing::says;
using testing::short_run;

TEST(ReadExamples, TellsWhatItRead) {
  const ScratchFolder folder;
  const Examples examples = testing::samples(folder, "multiclass", 12);
  EXPECT_EQ(examples.task(), "multiclass");
  EXPECT_EQ(examples.size(), 12);
  EXPECT_EQ(examples.problem().num_blocks(), 12);
  EXPECT_TRUE(says(examples.describe(), "12 examples"));
}

TEST(ReadExamples, ComplainsAtOnceWithFileAndLine) {
  const ScratchFolder folder;
  const std::string path = folder.path("bad.txt");
  write_file(path, "1 1:0.5\n2 1:zero\n");
  const std::string message = message_of([&] { read_examples("multiclass", {path}); });
  EXPECT_TRUE(says(message, path + ":2"));
  EXPECT_TRUE(says(message_of([&] { read_examples("multiclass", {folder.path("missing")}); }),
                   folder.path("missing")));
}

TEST(ReadExamples, SaysWhichTaskTheFileLooksLike) {
  const ScratchFolder folder;
  const DataSource classes = sample_file(folder, "multiclass", 20);
  EXPECT_TRUE(says(message_of([&] { read_examples("parsing", classes); }),
                   "looks like data of task multiclass"));
  const DataSource trees = sample_file(folder, "parsing", 5);
  EXPECT_TRUE(says(message_of([&] { read_examples("multiclass", trees); }),
                   "looks like data of task parsing"));
}

TEST(ReadExamples, AsSequencesSayThatTheFileLooksLikeClasses) {
  const ScratchFolder folder;
  const std::string path = folder.path("usps");  // rows of different lengths, as sparse data have
  write_file(path, "7 1:-1 5:0.2\n3 2:0.5\n7 1:-1 3:0.1 9:0.25\n1 4:1\n");
  EXPECT_TRUE(says(message_of([&] { read_examples("sequence", {path}); }),
                   "looks like data of task multiclass"));
}

TEST(OpenExamples, ReadsNothingBeforeItIsNeeded) {
  const ScratchFolder folder;
  const DataSource later{folder.path("later")};
  const Examples examples = open_examples("multiclass", later);
  EXPECT_EQ(examples.task(), "multiclass");
  EXPECT_TRUE(says(message_of([&] { examples.size(); }), later.path));
  write_file(later.path, sample_of("multiclass", 9));
  EXPECT_EQ(examples.size(), 9);  // what could not be read is tried again
}

TEST(OpenExamples, OfATestAreReadBeforeAnyTraining) {
  struct NeverRuns : Observer {
    bool wants_stop() override {
      ADD_FAILURE() << "the run has begun";
      return true;
    }
  } observer;
  const ScratchFolder folder;
  FitSettings settings;
  settings.test = open_examples("multiclass", {folder.path("missing")});
  const Examples train = testing::samples(folder, "multiclass", 12);
  EXPECT_TRUE(says(message_of([&] { fit(train, short_run(), observer, settings); }),
                   folder.path("missing")));
}

TEST(TaskOptionsByName, AreRefusedIfThereAreNone) {
  const auto refusal = [](std::string_view task, const TaskOptions& options) {
    return message_of<OptionError>([&] { open_examples(task, {"data"}, options); });
  };
  EXPECT_TRUE(says(refusal("sequences", {}), "'sequences' is not one of sequence,"));
  EXPECT_TRUE(says(refusal("own", {}), "'own' is not one of"));
  const std::string unknown = refusal("sequence", {{"hash-bit", "20"}});
  EXPECT_TRUE(says(unknown, "no option 'hash-bit'"));
  EXPECT_TRUE(says(unknown, "hash-bits"));
  EXPECT_TRUE(says(refusal("sequence", {{"loss", "hammering"}}), "hammering"));
  EXPECT_TRUE(says(refusal("sequence", {{"beam", "-1"}}), "beam = -1 must be"));
  EXPECT_TRUE(says(refusal("multiclass", {{"template", "file"}}), "no option 'template'"));
}

TEST(TaskOptionsByName, ChangeWhatIsLearned) {
  const ScratchFolder folder;
  const DataSource source = sample_file(folder, "multiclass", 12);
  const Index plain = read_examples("multiclass", source).problem().dimension();
  const Index with_bias =
      read_examples("multiclass", source, {{"bias", "yes"}}).problem().dimension();
  EXPECT_GT(with_bias, plain);
}

TEST(ExampleRows, AreRefusedByTasksWithoutRowsAndUnknownOptions) {
  EXPECT_THROW(ExampleRows("parsing"), OptionError);
  EXPECT_THROW(ExampleRows("nothing"), OptionError);
  EXPECT_TRUE(says(message_of<OptionError>([] {
                     ExampleRows("multiclass", {{"biass", "yes"}});
                   }),
                   "bias"));
}

TEST(ExampleRows, SayWhichExampleIsWrong) {
  ExampleRows rows("multiclass");
  rows.feature(1, 1.0).label("a").end_example();
  EXPECT_TRUE(says(message_of([&] { rows.feature(0, 1.0); }), "feature 0 of example 2"));
  rows.feature(3, 1.0).feature(2, 1.0).label("b").end_example();
  const Examples examples = rows.finish();
  EXPECT_TRUE(says(message_of([&] { examples.problem(); }), "example 2: feature 2 comes after 3"));
}

TEST(ExampleRows, MayHoldNothingButZeros) {
  constexpr std::array<double, 3> kZeros{};
  constexpr std::array<double, 3> kOnes{1.0, 1.0, 1.0};
  ExampleRows rows("multilabel");
  rows.features(kOnes).label("on").end_example();
  rows.features(kZeros).end_example();
  const Examples train = rows.finish();
  EXPECT_EQ(train.size(), 2);
  rows.features(kZeros);
  EXPECT_EQ(fit(train, short_run()).model.predict(rows.finish()).size(), 1u);
}

TEST(ExampleRows, StartAnewOnceFinished) {
  ExampleRows rows("multiclass");
  for (const char* label : {"a", "b", "a"}) rows.feature(1, 1.0).label(label).end_example();
  EXPECT_EQ(rows.finish().size(), 3);
  for (const char* label : {"a", "b"}) rows.feature(1, 1.0).label(label).end_example();
  EXPECT_EQ(rows.finish().size(), 2);
  EXPECT_THROW(rows.finish().size(), InputError);
}

TEST(OwnExamples, KnowTheirSizeAndNoTask) {
  const Examples own = testing::own_examples();
  EXPECT_EQ(own.task(), "own");
  EXPECT_EQ(own.size(), 9);
  EXPECT_EQ(own.describe(), "9 examples, 3 weights");
}

}  // namespace
}  // namespace gapwise::internal
