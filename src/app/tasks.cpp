#include "gapwise/tasks.h"

#include "gapwise/errors.h"
#include "tasks/task.h"

namespace gapwise {
namespace {

bool takes_rows(internal::TaskDriver& driver) {
  try {
    driver.make_rows();
    return true;
  } catch (const OptionError&) {
    return false;
  }
}

}  // namespace

std::vector<OptionInfo> describe(const OptionTable& table) {
  std::vector<OptionInfo> rows;
  for (const Option& row : table) {
    rows.push_back({row.name, row.placeholder, with_options(row.help, ""), row.fallback, row.get(),
                    row.is_flag});
  }
  return rows;
}

std::vector<TaskInfo> tasks() {
  std::vector<TaskInfo> all;
  for (const std::string_view name : internal::task_names()) {
    const auto driver = internal::make_task_driver(name);
    TaskInfo task;
    task.name = name;
    task.help = driver->help();
    task.formats.assign(driver->formats().begin(), driver->formats().end());
    task.takes_rows = takes_rows(*driver);
    task.options = describe(driver->options());
    all.push_back(std::move(task));
  }
  return all;
}

}  // namespace gapwise
