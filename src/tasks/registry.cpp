#include <fmt/format.h>

#include "tasks/task.h"

// The tasks, in the order of the help: a line and a folder of the same name each. Users write '-'
// for '_'.
// clang-format off
#define GAPWISE_TASKS(task) \
  task(sequence)            \
  task(multiclass)          \
  task(multilabel)          \
  task(segmentation)        \
  task(factor_graph)        \
  task(alignment)           \
  task(parsing)             \
  task(pose)
// clang-format on

namespace gapwise::internal {

#define GAPWISE_DECLARE(task) std::unique_ptr<TaskDriver> make_##task##_driver();
GAPWISE_TASKS(GAPWISE_DECLARE)
#undef GAPWISE_DECLARE

namespace {

/// A name as users write it.
template <std::size_t size>
struct Spelled {
  constexpr explicit Spelled(const char (&name)[size]) {
    for (std::size_t k = 0; k + 1 < size; ++k) text[k] = name[k] == '_' ? '-' : name[k];
  }
  constexpr operator std::string_view() const { return {text, size - 1}; }
  char text[size] = {};
};
#define GAPWISE_SPELL(task) constexpr Spelled k_##task(#task);
GAPWISE_TASKS(GAPWISE_SPELL)
#undef GAPWISE_SPELL

struct Entry {
  std::string_view name;
  std::unique_ptr<TaskDriver> (*make)();
};
#define GAPWISE_ENTRY(task) {k_##task, make_##task##_driver},
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
