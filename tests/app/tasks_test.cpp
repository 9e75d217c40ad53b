// What the library tells of its tasks, for help texts and for other languages.

#include "gapwise/tasks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gapwise/examples.h"
#include "gapwise/train_options.h"

namespace gapwise {
namespace {

TEST(Tasks, TellTheirOptionsAndDefaults) {
  for (const TaskInfo& task : tasks()) {
    EXPECT_FALSE(task.formats.empty()) << task.name;
    TaskOptions defaults;
    for (const OptionInfo& option : task.options) {
      EXPECT_FALSE(option.help.empty()) << option.name;
      EXPECT_EQ(option.help.find('\1'), std::string::npos) << option.name;
      if (!option.value.empty()) defaults[option.name] = option.value;
    }
    EXPECT_NO_THROW(open_examples(task.name, {"data"}, defaults)) << task.name;
  }
}

TEST(Tasks, TellWhetherTheyTakeRows) {
  for (const TaskInfo& task : tasks()) {
    if (task.takes_rows) {
      EXPECT_NO_THROW(ExampleRows(task.name)) << task.name;
    } else {
      EXPECT_THROW(ExampleRows(task.name), OptionError) << task.name;
    }
  }
}

TEST(OptionInfo, HasADefaultThatTheTableTakes) {
  TrainOptions options;
  const std::vector<OptionInfo> rows = describe(option_table(options));
  EXPECT_EQ(rows.size(), option_table(options).size());
  const auto lambda = std::find_if(rows.begin(), rows.end(),
                                   [](const OptionInfo& row) { return row.name == "lambda"; });
  ASSERT_NE(lambda, rows.end());
  EXPECT_EQ(lambda->value, "1/n");
  for (const OptionInfo& row : rows) {
    if (row.value.empty()) continue;
    EXPECT_NO_THROW(set_option(options, row.name, row.value)) << row.name;
  }
}

}  // namespace
}  // namespace gapwise
