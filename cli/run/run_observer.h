#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gapwise/train.h"
#include "run/console.h"
#include "run/figures.h"
#include "run/trace.h"
#include "verbs/train.h"

namespace gapwise::internal::cli {

/// Everything that looks on while `train` runs: console, trace, checkpoints, signals. A file that
/// cannot be written does not end the run; it is told at once and again at the end.
class RunObserver : public Observer {
 public:
  /// `base` holds the figures that stay the same all the time; `test`, if any, measures w on the
  /// test data.
  RunObserver(const TrainSettings& settings, const TrainOptions& options, Figures base,
              std::map<std::string, std::string> task_options,
              std::function<Metrics(Weights)> test);

  Trace& trace() { return trace_; }
  Console& console() { return console_; }

  void on_pass(const Progress& progress, const Snapshot& run) override;
  void on_measure(const Progress& progress, Weights w) override;
  void on_stop(const Progress& progress, const Snapshot& run) override;
  bool wants_stop() override;

  /// Completes the trace with the figures of the finished run.
  void finish(const Figures& figures);
  /// Writes a file; a failure is told and remembered.
  void attempt(const std::function<void()>& write);
  const std::vector<Progress>& measurements() const { return measurements_; }
  const std::vector<Tested>& tests() const { return tests_; }
  /// The first failure to write a file.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  void save(const Snapshot& run);
  /// Tells a moment of the run, with a test of w if there are tests on the way.
  void tell(const Progress& progress, Weights w);
  Figures figures_at(const Progress& progress) const;

  const TrainSettings& settings_;
  Figures base_;
  std::map<std::string, std::string> task_options_;
  std::function<Metrics(Weights)> test_;
  Console console_;
  Trace trace_;
  std::vector<Progress> measurements_;
  std::vector<Tested> tests_;
  std::chrono::steady_clock::time_point saved_at_ = std::chrono::steady_clock::now();
  std::optional<std::string> failure_;
};

}  // namespace gapwise::internal::cli
