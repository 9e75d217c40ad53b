#include <fmt/format.h>

#include "tasks/task.h"

// The tasks, in the order of the help: a line and a folder of the same name each.
// clang-format off
#define GAPWISE_TASKS(task) \
  task(sequence)            \
  task(multiclass)          \
  task(multilabel)          \
  task(segmentation)        \
  task(alignment)           \
  task(parsing)             \
  task(pose)
// clang-format on

namespace gapwise::internal {

#define GAPWISE_DECLARE(task) std::unique_ptr<TaskDriver> make_##task##_driver();
GAPWISE_TASKS(GAPWISE_DECLARE)
#undef GAPWISE_DECLARE

namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<TaskDriver> (*make)();
};
#define GAPWISE_ENTRY(task) {#task, make_##task##_driver},
constexpr Entry kTasks[] = {GAPWISE_TASKS(GAPWISE_ENTRY)};
#undef GAPWISE_ENTRY

}  // namespace

std::vector<std::string_view> task_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kTasks) names.push_back(entry.name);
  return names;
}

std::unique_ptr<TaskDriver> make_task_driver(std::string_view name) {
  for (const Entry& entry : kTasks) {
    if (entry.name == name) return entry.make();
  }
  throw OptionError(fmt::format("task '{}' is not one of {}", name, fmt::join(task_names(), ", ")));
}

}  // namespace gapwise::internal
