#pragma once

#include <chrono>
#include <vector>

#include "convert.h"
#include "gapwise/path.h"
#include "interpreter.h"

namespace gapwise::python {

/// Lets Python look after its signals now and then. On other threads than that which Python called
/// it does nothing.
class SignalWatch {
 public:
  void look();

 private:
  std::chrono::steady_clock::time_point looked_at_ = std::chrono::steady_clock::now();
};

/// Keeps every measurement of a run, tells a Python function of it if there is one, and lets Python
/// look after signals. The function is called with what happened ("pass", "measure" or "test"),
/// where the run stands, and the metrics of a test; true ends the run.
class RunObserver final : public PathObserver {
 public:
  explicit RunObserver(py::object listener) : listener_(std::move(listener)) {}

  void on_pass(const Progress& progress, const Snapshot&) override { tell("pass", progress); }
  void on_measure(const Progress& progress, Weights) override {
    measurements_.push_back(progress);
    tell("measure", progress);
  }
  void on_test(const Progress& progress, const Metrics& metrics) override {
    tests_.emplace_back(progress, metrics);
    tell("test", progress, &metrics);
  }
  bool wants_stop() override;

  /// Arrays by name, one entry for each measurement; with tests, "val_NAME" of each metric, nan
  /// where a measurement had none.
  py::dict history() const;

 private:
  void tell(const char* event, const Progress& progress, const Metrics* metrics = nullptr);

  py::object listener_;  ///< None: nobody
  bool wants_stop_ = false;
  SignalWatch signals_;
  std::vector<Progress> measurements_;
  std::vector<std::pair<Progress, Metrics>> tests_;
};

}  // namespace gapwise::python
