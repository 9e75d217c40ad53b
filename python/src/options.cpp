#include <pybind11/stl.h>

#include "bindings.h"
#include "gapwise/tasks.h"
#include "gapwise/train.h"

namespace gapwise::python {
namespace {

namespace py = pybind11;

std::vector<OptionInfo> train_options() {
  TrainOptions options;
  return describe(option_table(options));
}

std::vector<std::pair<std::string, std::string>> solver_list() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const SolverInfo& solver : solvers()) all.emplace_back(solver.name, solver.help);
  return all;
}

}  // namespace

void bind_options(py::module_& module) {
  py::class_<OptionInfo> option(module, "OptionInfo");
  add_readable(option, "name", &OptionInfo::name, "placeholder", &OptionInfo::placeholder, "help",
               &OptionInfo::help, "fallback", &OptionInfo::fallback, "value", &OptionInfo::value,
               "is_flag", &OptionInfo::is_flag);
  py::class_<TaskInfo> task(module, "TaskInfo");
  add_readable(task, "name", &TaskInfo::name, "help", &TaskInfo::help, "formats",
               &TaskInfo::formats, "takes_rows", &TaskInfo::takes_rows, "options",
               &TaskInfo::options);
  module.def("tasks", &tasks);
  module.def("train_options", &train_options);
  module.def("solvers", &solver_list);
}

}  // namespace gapwise::python
