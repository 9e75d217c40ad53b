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
  py::class_<OptionInfo>(module, "OptionInfo")
      .def_readonly("name", &OptionInfo::name)
      .def_readonly("placeholder", &OptionInfo::placeholder)
      .def_readonly("help", &OptionInfo::help)
      .def_readonly("fallback", &OptionInfo::fallback)
      .def_readonly("value", &OptionInfo::value)
      .def_readonly("is_flag", &OptionInfo::is_flag);
  py::class_<TaskInfo>(module, "TaskInfo")
      .def_readonly("name", &TaskInfo::name)
      .def_readonly("help", &TaskInfo::help)
      .def_readonly("formats", &TaskInfo::formats)
      .def_readonly("takes_rows", &TaskInfo::takes_rows)
      .def_readonly("options", &TaskInfo::options);
  module.def("tasks", &tasks);
  module.def("train_options", &train_options);
  module.def("solvers", &solver_list);
}

}  // namespace gapwise::python
