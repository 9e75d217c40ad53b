#include "gapwise/path.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "convert.h"
#include "interrupts.h"
#include "run_observer.h"
#include "train_options.h"

namespace gapwise::python {
namespace {

Path follow(const Examples& examples, const std::map<std::string, std::string>& options,
            PathSettings settings, const py::object& listener, bool catches_interrupts) {
  std::atomic<bool> stop = false;
  std::optional<InterruptGuard> guard;
  if (catches_interrupts) guard.emplace(stop);
  settings.stop = &stop;
  RunObserver observer(listener);
  return without_interpreter(
      [&] { return fit_path(examples, make_options(options), settings, observer); });
}

}  // namespace

void bind_path(py::module_& module) {
  py::class_<PathSettings>(module, "PathSettings")
      .def(py::init<>())
      .def_readwrite("epsilon", &PathSettings::epsilon)
      .def_readwrite("relative_epsilon", &PathSettings::relative_epsilon)
      .def_readwrite("lambda_min", &PathSettings::lambda_min)
      .def_readwrite("validation", &PathSettings::test)
      .def_readwrite("grid", &PathSettings::grid)
      .def_readwrite("keeps_weights", &PathSettings::keeps_weights);
  py::class_<PathPoint>(module, "PathPoint", "The weights of one lambda with their certificate.")
      .def_readonly("lam", &PathPoint::lambda)
      .def_readonly("primal", &PathPoint::primal)
      .def_readonly("dual", &PathPoint::dual)
      .def_readonly("certified", &PathPoint::is_certified)
      .def_readonly("oracle_calls", &PathPoint::oracle_calls)
      .def_readonly("seconds", &PathPoint::seconds)
      .def_property_readonly("validation", [](const PathPoint& self) {
        return self.test ? py::object(to_list(*self.test)) : py::none();
      });
  py::class_<PathValue>(module, "PathValue", "What a path guarantees at one lambda.")
      .def_readonly("point", &PathValue::point)
      .def_readonly("primal", &PathValue::primal)
      .def_readonly("dual", &PathValue::dual)
      .def_property_readonly("gap", &PathValue::gap)
      .def_readonly("certified", &PathValue::is_certified);
  py::class_<Path>(module, "Path")
      .def_property_readonly("points", &Path::points)
      .def_property_readonly("epsilon", &Path::epsilon)
      .def_property_readonly("lambda_end", &Path::lambda_end)
      .def_property_readonly("status",
                             [](const Path& self) { return std::string(name_of(self.reason())); })
      .def("at", &Path::at, py::arg("lam"))
      .def(
          "weights", [](const Path& self, double lam) { return to_array(self.weights(lam)); },
          py::arg("lam"))
      .def("model", &Path::model, py::arg("lam"));
  module.def("fit_path", &follow, py::arg("examples"), py::arg("options"), py::arg("settings"),
             py::arg("listener"), py::arg("catches_interrupts"));
}

}  // namespace gapwise::python
