#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gapwise/train.h"
#include "run/console.h"
#include "run/figures.h"
#include "run/trace.h"
#include "run/training.h"

namespace gapwise::internal::cli {

/// What the program shows and writes while a run goes: console, trace, signals. A file that cannot
/// be written does not end the run; it is told at once and again at the end.
class RunObserver : public Observer {
 public:
  /// `base` holds the figures that stay the same all the time; `headline` is told when the run
  /// starts.
  RunObserver(const TrainSettings& settings, const TrainOptions& options, Figures base,
              std::string headline);

  Trace& trace() { return trace_; }

  void on_pass(const Progress& progress, const Snapshot& run) override;
  void on_measure(const Progress& progress, Weights w) override;
  void on_test(const Progress& progress, const Metrics& metrics) override;
  void on_failure(const std::string& what) override;
  bool wants_stop() override;
  bool wants_checkpoint() override;
  void on_stop(const Progress& progress, const Snapshot& run) override;

  /// Says what is being done now that the run is over.
  void stage(const std::string& what) { console_.stage(what); }

  /// Completes the trace with the figures of the finished run.
  void finish(const Figures& figures);
  /// Writes a file; a failure is told and remembered.
  void attempt(const std::function<void()>& write);
  const std::vector<Progress>& measurements() const { return measurements_; }
  const std::vector<Tested>& tests() const { return tests_; }
  /// The first failure to write a file.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  /// Adds a moment of the run to the trace.
  void tell(const Progress& progress, std::optional<Metrics> test);

  const TrainSettings& settings_;
  Figures base_;
  std::string headline_;  ///< empty once it is told
  Console console_;
  Trace trace_;
  std::vector<Progress> measurements_;
  std::vector<Tested> tests_;
  std::optional<std::string> failure_;
  bool is_over_ = false;  ///< only the last measurement, the test and the files are to come
};

}  // namespace gapwise::internal::cli
