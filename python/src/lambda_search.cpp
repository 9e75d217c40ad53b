#include "gapwise/lambda_search.h"

#include <pybind11/stl.h>

#include <limits>

#include "bindings.h"
#include "interrupts.h"
#include "search_observer.h"
#include "train_options.h"

namespace gapwise::python {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

LambdaSearch search(const Examples& examples, const std::map<std::string, std::string>& options,
                    LambdaSearchSettings settings, const py::object& listener,
                    bool catches_interrupts) {
  std::atomic<bool> stop = false;
  std::optional<InterruptGuard> guard;
  if (catches_interrupts) guard.emplace(stop);
  settings.path.stop = &stop;
  SearchObserver observer(listener);
  LambdaSearch found = without_interpreter(
      [&] { return search_lambda(examples, make_options(options), settings, observer); });
  observer.finish();
  return found;
}

/// One value of each row.
template <class Get>
auto column(const LambdaSearch& found, Get get) {
  std::vector<decltype(get(LambdaScore()))> values;
  for (const LambdaScore& row : found.table) values.push_back(get(row));
  return to_array(std::move(values));
}

/// A row for each lambda, a column for each fold.
py::array_t<double> scores(const LambdaSearch& found) {
  const std::size_t folds = found.table.empty() ? 0 : found.table.front().scores.size();
  py::array_t<double> matrix({found.table.size(), folds});
  for (std::size_t k = 0; k < found.table.size(); ++k) {
    for (std::size_t fold = 0; fold < folds; ++fold) {
      matrix.mutable_at(k, fold) = found.table[k].scores[fold];
    }
  }
  return matrix;
}

void bind_settings(py::module_& module) {
  settings_class<LambdaSearchSettings>(
      module, "LambdaSearchSettings", "folds", &LambdaSearchSettings::folds, "hold_out",
      &LambdaSearchSettings::hold_out, "groups", &LambdaSearchSettings::groups, "is_quick",
      &LambdaSearchSettings::is_quick, "select", &LambdaSearchSettings::select,
      "one_standard_error", &LambdaSearchSettings::one_standard_error)
      .def_property(
          "path", [](const LambdaSearchSettings& self) { return self.path; },
          [](LambdaSearchSettings& self, const PathSettings& path) { self.path = path; });
}

}  // namespace

void SearchObserver::on_point(Index, const PathPoint& point) {
  if (listener_.is_none() || failure_) return;
  const py::gil_scoped_acquire held;
  try {
    const py::object metrics = point.test ? py::object(to_list(*point.test)) : py::none();
    if (listener_("point", point, metrics).cast<bool>()) wants_stop_ = true;
  } catch (...) {
    failure_ = std::current_exception();
    wants_stop_ = true;
  }
}

py::object to_object(const std::optional<LambdaSearch>& search) {
  return search ? py::cast(*search) : py::none();
}

void bind_lambda_search(py::module_& module) {
  bind_settings(module);
  py::class_<LambdaSearch>(module, "LambdaSearch")
      .def_property_readonly("lams",
                             [](const LambdaSearch& self) {
                               return column(self, [](const LambdaScore& r) { return r.lambda; });
                             })
      .def_property_readonly("scores", &scores)
      .def_property_readonly("means",
                             [](const LambdaSearch& self) {
                               return column(self, [](const LambdaScore& r) { return r.mean; });
                             })
      .def_property_readonly(
          "errors",
          [](const LambdaSearch& self) {
            return column(self, [](const LambdaScore& r) { return r.error.value_or(kNone); });
          })
      .def_property_readonly("oracle_calls",
                             [](const LambdaSearch& self) {
                               return column(self,
                                             [](const LambdaScore& r) { return r.oracle_calls; });
                             })
      .def_property_readonly("seconds",
                             [](const LambdaSearch& self) {
                               return column(self, [](const LambdaScore& r) { return r.seconds; });
                             })
      .def_readonly("best", &LambdaSearch::best)
      .def_readonly("chosen", &LambdaSearch::chosen)
      .def_readonly("metric", &LambdaSearch::metric)
      .def_property_readonly(
          "higher_is_better",
          [](const LambdaSearch& self) { return self.better == Better::kHigher; })
      .def_property_readonly(
          "status", [](const LambdaSearch& self) { return std::string(name_of(self.reason)); });
  module.def("search_lambda", &search, py::arg("examples"), py::arg("options"), py::arg("settings"),
             py::arg("listener"), py::arg("catches_interrupts"));
  module.def(
      "choose_lambda",
      [](const std::vector<Path>& folds, const LambdaSearchSettings& settings) {
        return choose_lambda(folds, settings);
      },
      py::arg("folds"), py::arg("settings"));
  module.def("parse_grid", &parse_grid, py::arg("text"));
}

}  // namespace gapwise::python
