#include "run_observer.h"

#include <limits>

namespace gapwise::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(100);
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void RunObserver::tell(const char* event, const Progress& progress, const Metrics* metrics) {
  if (listener_.is_none()) return;
  call_python([&] {
    const py::object told = metrics != nullptr ? py::object(to_list(*metrics)) : py::none();
    const py::object answer = listener_(event, progress, told);
    const int is_true = PyObject_IsTrue(answer.ptr());
    if (is_true < 0) throw py::error_already_set();
    if (is_true != 0) wants_stop_ = true;
  });
}

void SignalWatch::look() {
  if (Interpreter::current() == nullptr) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_at_ < kBetweenLooks) return;
  looked_at_ = now;
  call_python([] {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  });
}

bool RunObserver::wants_stop() {
  signals_.look();
  return wants_stop_;
}

py::dict RunObserver::history() const {
  py::dict history;
  const auto add = [&]<class Get>(const std::string& name, Get get) {
    using Value = decltype(get(Progress()));
    std::vector<Value> values;
    for (const Progress& progress : measurements_) values.push_back(get(progress));
    history[py::str(name)] = to_array(std::move(values));
  };
  add("passes", [](const Progress& p) { return p.passes; });
  add("oracle_calls", [](const Progress& p) { return p.oracle_calls; });
  add("cached_steps", [](const Progress& p) { return p.cached_steps; });
  add("seconds", [](const Progress& p) { return p.seconds; });
  add("primal", [](const Progress& p) { return p.primal.value_or(kNone); });
  add("dual", [](const Progress& p) { return p.has_dual() ? p.dual : kNone; });
  add("gap", [](const Progress& p) { return p.gap().value_or(kNone); });
  if (tests_.empty()) return history;
  for (const Metric& metric : tests_.front().second) {
    add("val_" + metric.name, [&](const Progress& p) {
      for (const auto& [at, metrics] : tests_) {
        const Metric* const found = find_metric(metrics, metric.name);
        if (at.oracle_calls == p.oracle_calls && at.passes == p.passes && found != nullptr) {
          return found->value;
        }
      }
      return kNone;
    });
  }
  return history;
}

}  // namespace gapwise::python
