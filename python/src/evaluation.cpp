#include "gapwise/evaluation.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "convert.h"
#include "interpreter.h"

namespace gapwise::python {
namespace {

py::tuple to_pair(const Interval& interval) {
  return py::make_tuple(interval.low, interval.high);
}

py::list to_list(const std::vector<Confusion>& confusions) {
  py::list list;
  for (const Confusion& each : confusions) {
    list.append(py::make_tuple(each.gold, each.predicted, each.count));
  }
  return list;
}

py::dict to_dict(const Evaluation& found) {
  py::list intervals;
  for (const Interval& interval : found.intervals) intervals.append(to_pair(interval));
  py::list labels;
  for (const LabelFigures& each : found.labels) {
    labels.append(py::make_tuple(each.label, each.support, each.predicted, each.correct));
  }
  py::list worst;
  for (const WorstExample& each : found.worst) {
    worst.append(py::make_tuple(each.example, each.errors, to_list(each.confusions)));
  }
  py::dict result;
  result["metrics"] = python::to_list(found.metrics);
  result["intervals"] = intervals;
  result["labels"] = labels;
  result["confusions"] = to_list(found.confusions);
  result["worst"] = worst;
  return result;
}

py::dict to_dict(const Difference& found) {
  py::dict result;
  result["metrics"] = python::to_list({found.first, found.second});
  result["by"] = found.by;
  result["interval"] = to_pair(found.interval);
  result["p_value"] = found.p_value;
  return result;
}

}  // namespace

void bind_evaluation(py::module_& module) {
  settings_class<EvaluationSettings>(
      module, "EvaluationSettings", "worst", &EvaluationSettings::worst, "confidence",
      &EvaluationSettings::confidence, "resamples", &EvaluationSettings::resamples, "seed",
      &EvaluationSettings::seed);
  module.def(
      "evaluate_in_detail",
      [](const Model& model, const Examples& examples, const EvaluationSettings& settings,
         ThreadCount threads) {
        return to_dict(without_interpreter(
            [&] { return evaluate_in_detail(model, examples, settings, threads); }));
      },
      py::arg("model"), py::arg("examples"), py::arg("settings"), py::arg("threads"));
  module.def(
      "compare_models",
      [](const Model& first, const Model& second, const Examples& examples,
         const EvaluationSettings& settings, ThreadCount threads) {
        return to_dict(without_interpreter(
            [&] { return compare_models(first, second, examples, settings, threads); }));
      },
      py::arg("first"), py::arg("second"), py::arg("examples"), py::arg("settings"),
      py::arg("threads"));
}

}  // namespace gapwise::python
