#include "run/run_observer.h"

#include "run/signals.h"

namespace gapwise::internal::cli {

RunObserver::RunObserver(const TrainSettings& settings, const TrainOptions& options, Figures base,
                         std::string headline)
    : settings_(settings),
      base_(std::move(base)),
      headline_(std::move(headline)),
      console_(options, settings.quiet, settings.progress),
      trace_(settings.trace, settings.trace_clock) {}

void RunObserver::on_pass(const Progress& progress, const Snapshot&) {
  console_.on_pass(progress);
}

void RunObserver::on_measure(const Progress& progress, Weights) {
  console_.on_measure(progress);
  if (is_over_) {
    console_.close();
    console_.stage("testing ...");
  }
  measurements_.push_back(progress);
  if (!settings_.tests_on_the_way()) tell(progress, std::nullopt);  // otherwise on_test does
}

void RunObserver::on_test(const Progress& progress, const Metrics& metrics) {
  tests_.push_back({progress, metrics});
  tell(progress, metrics);
}

void RunObserver::tell(const Progress& progress, std::optional<Metrics> test) {
  Figures figures = base_;
  figures.progress = progress;
  figures.peak_rss_bytes = peak_rss_bytes();
  figures.test = std::move(test);
  attempt([&] { trace_.add(to_json(figures)); });
  if (!trace_.lines().empty()) console_.on_trace(trace_.lines().back());
  if (settings_.report_writer == nullptr) return;
  attempt([&] { settings_.report_writer->on_progress(trace_.lines(), settings_.report_label); });
}

void RunObserver::on_stop(const Progress&, const Snapshot&) {
  is_over_ = true;
  console_.stage("last measurement ...");
}

/// Asked before the first step, when everything has been checked.
bool RunObserver::wants_stop() {
  if (!headline_.empty()) {
    console_.say(headline_);
    headline_.clear();
  }
  return is_interrupted();
}

/// SIGUSR1, even where there is nothing to save it in: then somebody waits in vain and is told.
bool RunObserver::wants_checkpoint() {
  if (!takes_checkpoint_request()) return false;
  if (settings_.fit.checkpoint.empty()) {
    console_.warn("SIGUSR1: there is no --checkpoint FILE to save the run in; it goes on");
  } else {
    console_.say("checkpoint on request: " + settings_.fit.checkpoint);
  }
  return true;
}

void RunObserver::finish(const Figures& figures) {
  console_.close();
  const std::vector<std::string>& lines = trace_.lines();
  const bool is_told = !lines.empty() && is_same_measurement(lines.back(), figures);
  attempt([&] { trace_.finish(to_json(figures), is_told); });
}

void RunObserver::on_failure(const std::string& what) {
  console_.say(what);
  if (!failure_) failure_ = what;
}

void RunObserver::attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const InputError& error) {
    on_failure(error.what());
  }
}

}  // namespace gapwise::internal::cli
