// The program is a thin shell over the library: what both write is the same to the byte.

#include <gtest/gtest.h>

#include <cstdlib>

#include "app/small_data.h"
#include "support/identifier.h"

namespace gapwise::internal {
namespace {

using testing::sample_file;
using testing::says;
using testing::short_run;

class Program : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
#ifndef GAPWISE_PROGRAM
    GTEST_SKIP() << "built without the program";
#endif
  }

  /// Runs the program; what it prints is the result.
  std::string run(const std::string& arguments) const {
#ifdef GAPWISE_PROGRAM
    const std::string out = folder_.path("out");
    const std::string command = "'" GAPWISE_PROGRAM "' " + arguments + " >'" + out + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return read_file(out);
#else
    return arguments;
#endif
  }

  ScratchFolder folder_;
};

const std::string kShortRun =
    " --solver bcfw --lambda 0.05 --max-passes 7 --relative-gap 1e-9 --seed 3";

TEST_P(Program, WritesTheModelThatTheLibraryGives) {
  const std::string task(GetParam());
  const DataSource source = sample_file(folder_, task, 20);
  const std::string model = folder_.path("model");
  run("train --quiet --task " + task + " --data '" + source.path + "' --model '" + model + "'" +
      kShortRun);
  EXPECT_EQ(fit(read_examples(task, source), short_run()).model.bytes(), read_file(model));
}

TEST_P(Program, PredictsWhatTheLibraryStreams) {
  const std::string task(GetParam());
  const DataSource source = sample_file(folder_, task, 20);
  const Model model = fit(read_examples(task, source), short_run()).model;
  model.save(folder_.path("model"));
  std::string streamed;
  model.predict(source, [&](std::string_view text) { streamed += text; });
  EXPECT_EQ(run("predict --model '" + folder_.path("model") + "' --data '" + source.path + "'"),
            streamed);
}

INSTANTIATE_TEST_SUITE_P(Tasks, Program, ::testing::ValuesIn(task_names()), [](const auto& task) {
  return testing::identifier(std::string(task.param));
});

class ProgramOnOwnModels : public Program {};

TEST_F(ProgramOnOwnModels, InspectsThem) {
  const Fit result = fit(testing::own_examples(), short_run());
  result.model.save(folder_.path("model"));
  const std::string text = run("inspect '" + folder_.path("model") + "'");
  EXPECT_TRUE(says(text, "own"));
  EXPECT_TRUE(says(text, "bcfw"));
  EXPECT_TRUE(says(text, "3 ("));  // weights
  EXPECT_TRUE(says(run("inspect --json '" + folder_.path("model") + "'"), "\"task\": \"own\""));
}

}  // namespace
}  // namespace gapwise::internal
