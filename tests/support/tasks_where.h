#pragma once

#include <string>
#include <vector>

#include "tasks/task.h"

namespace gapwise::internal::testing {

/// The names of the tasks that `holds` says yes to, for tests that run on each of them.
template <class Holds>
std::vector<std::string> tasks_where(Holds holds) {
  std::vector<std::string> names;
  for (const std::string_view name : task_names()) {
    if (holds(std::string(name))) names.emplace_back(name);
  }
  return names;
}

inline std::vector<std::string> all_tasks() {
  return tasks_where([](const std::string&) { return true; });
}

}  // namespace gapwise::internal::testing
