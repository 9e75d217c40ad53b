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
  settings_class<PathSettings>(module, "PathSettings", "epsilon", &PathSettings::epsilon,
                               "relative_epsilon", &PathSettings::relative_epsilon, "lambda_min",
                               &PathSettings::lambda_min, "validation", &PathSettings::test, "grid",
                               &PathSettings::grid, "keeps_weights", &PathSettings::keeps_weights);
  py::class_<PathPoint> point(module, "PathPoint",
                              "The weights of one lambda with their certificate.");
  add_readable(point, "lam", &PathPoint::lambda, "primal", &PathPoint::primal, "dual",
               &PathPoint::dual, "certified", &PathPoint::is_certified, "oracle_calls",
               &PathPoint::oracle_calls, "seconds", &PathPoint::seconds);
  point.def_property_readonly("validation", [](const PathPoint& self) {
    return self.test ? py::object(to_list(*self.test)) : py::none();
  });
  py::class_<PathValue> value(module, "PathValue", "What a path guarantees at one lambda.");
  add_readable(value, "point", &PathValue::point, "primal", &PathValue::primal, "dual",
               &PathValue::dual, "certified", &PathValue::is_certified);
  value.def_property_readonly("gap", &PathValue::gap);
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
