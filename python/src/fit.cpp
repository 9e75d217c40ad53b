#include "gapwise/fit.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "convert.h"
#include "interrupts.h"
#include "search_observer.h"
#include "train_options.h"

namespace gapwise::python {

TrainOptions make_options(const std::map<std::string, std::string>& by_name) {
  TrainOptions options;
  for (const auto& [name, value] : by_name) set_option(options, name, value);
  return options;
}

namespace {

/// A finished run with what was measured on its way.
struct Trained {
  Fit fit;
  std::optional<LambdaSearch> search;  ///< if lambda was to be chosen
  py::dict history;
};

Trained train(const Examples& examples, const std::map<std::string, std::string>& options,
              const py::object& listener, const std::optional<Examples>& validation,
              const Trained* start, bool catches_interrupts, Index label_rounds) {
  std::atomic<bool> stop = false;
  std::optional<InterruptGuard> guard;
  if (catches_interrupts) guard.emplace(stop);
  FitSettings settings;
  settings.test = validation;
  settings.tests_at_measurements = validation.has_value();
  if (start != nullptr) settings.start = &start->fit;
  settings.stop = &stop;
  settings.label_rounds = label_rounds;
  TrainOptions asked = make_options(options);
  std::optional<LambdaSearch> search;
  if (asked.lambda.is_auto) {
    LambdaSearchSettings quick;
    quick.is_quick = true;
    quick.path.test = validation;
    quick.path.stop = &stop;
    SearchObserver watcher(listener);
    search = without_interpreter([&] { return search_lambda(examples, asked, quick, watcher); });
    watcher.finish();
    asked = with_chosen(asked, *search);
  }
  RunObserver observer(listener);
  Fit result =
      without_interpreter([&] { return gapwise::fit(examples, asked, observer, settings); });
  return {std::move(result), std::move(search), observer.history()};
}

py::object optional_list(const std::optional<Metrics>& metrics) {
  return metrics ? py::object(to_list(*metrics)) : py::none();
}

/// How labels that are not known were completed; none if all were known.
py::object to_dict(const std::optional<LabelRounds>& done) {
  if (!done) return py::none();
  py::list rounds;
  for (const LabelRound& round : done->rounds) {
    py::dict entry;
    entry["changed"] = round.changed;
    entry["status"] = std::string(name_of(round.reason));
    entry["primal"] = round.progress.primal;
    entry["gap"] = round.progress.gap();
    entry["certified"] = round.progress.primal && round.progress.is_certified;
    rounds.append(entry);
  }
  py::dict result;
  result["unknown"] = done->unknown;
  result["rounds"] = rounds;
  return result;
}

void bind_progress(py::module_& module) {
  py::class_<Progress>(module, "Progress", "Where a run stands.")
      .def_readonly("n", &Progress::n, "Examples.")
      .def_readonly("passes", &Progress::passes, "Complete visits of all examples.")
      .def_readonly("steps", &Progress::steps, "Visits of single examples.")
      .def_readonly("oracle_calls", &Progress::oracle_calls, "Of the max oracle.")
      .def_readonly("cached_steps", &Progress::cached_steps, "Steps by remembered outputs.")
      .def_readonly("seconds", &Progress::seconds, "Training time, callbacks not counted.")
      .def_readonly("oracle_seconds", &Progress::oracle_seconds, "Of that, in the max oracle.")
      .def_property_readonly(
          "dual",
          [](const Progress& self) {
            return self.has_dual() ? std::optional<double>(self.dual) : std::nullopt;
          },
          "A lower bound of the optimum; None if the method has none.")
      .def_readonly("primal", &Progress::primal, "The objective; None but at measurements.")
      .def_property_readonly("gap", &Progress::gap, "primal - dual; None but at measurements.")
      .def_property_readonly("relative_gap", &Progress::relative_gap, "gap / primal.")
      .def_readonly("certified", &Progress::is_certified, "Whether the gap is proven.")
      .def("__repr__", [](const Progress& self) {
        const auto gap = self.relative_gap();
        return "<Progress: pass " + std::to_string(self.passes) + ", " +
               std::to_string(self.oracle_calls) + " oracle calls" +
               (gap ? ", gap " + std::to_string(100.0 * *gap) + " %" : "") + ">";
      });
}

}  // namespace

void bind_fit(py::module_& module) {
  bind_progress(module);
  py::class_<Trained>(module, "Fit")
      .def_property_readonly("model", [](const Trained& self) { return self.fit.model; })
      .def_property_readonly("progress",
                             [](const Trained& self) { return self.fit.report.progress; })
      .def_property_readonly(
          "status",
          [](const Trained& self) { return std::string(name_of(self.fit.report.reason)); })
      .def_property_readonly("lam", [](const Trained& self) { return self.fit.report.lambda; })
      .def_property_readonly("w", [](const Trained& self) { return to_array(self.fit.report.w); })
      .def_property_readonly("train_loss", [](const Trained& self) { return self.fit.train_loss; })
      .def_property_readonly("validation",
                             [](const Trained& self) { return optional_list(self.fit.test); })
      .def_readonly("history", &Trained::history)
      .def_property_readonly("search", [](const Trained& self) { return to_object(self.search); })
      .def_property_readonly("label_rounds",
                             [](const Trained& self) { return to_dict(self.fit.label_rounds); })
      .def("save_proof", [](const Trained& self, const std::string& path) {
        without_interpreter([&] { self.fit.save_proof(path); });
      });
  module.def("fit", &train, py::arg("examples"), py::arg("options"), py::arg("listener"),
             py::arg("validation"), py::arg("start"), py::arg("catches_interrupts"),
             py::arg("label_rounds"));
}

}  // namespace gapwise::python
