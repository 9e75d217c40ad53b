#include "run/run_observer.h"

#include "run/checkpoint.h"
#include "run/signals.h"

namespace gapwise::internal::cli {

RunObserver::RunObserver(const TrainSettings& settings, const TrainOptions& options, Figures base,
                         std::map<std::string, std::string> task_options,
                         std::function<Metrics(Weights)> test)
    : settings_(settings),
      base_(std::move(base)),
      task_options_(std::move(task_options)),
      test_(std::move(test)),
      console_(options, settings.quiet),
      trace_(settings.trace, settings.trace_clock) {}

void RunObserver::on_pass(const Progress& progress, const Snapshot& run) {
  console_.on_pass(progress);
  if (settings_.test_every && progress.passes % *settings_.test_every == 0 && !progress.primal) {
    std::vector<double> w;
    run.weights(w);
    tell(progress, w);
  }
  if (settings_.checkpoint.empty()) return;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - saved_at_;
  if (since.count() >= settings_.checkpoint_seconds) save(run);
}

void RunObserver::on_measure(const Progress& progress, Weights w) {
  console_.on_measure(progress);
  measurements_.push_back(progress);
  tell(progress, w);
}

void RunObserver::tell(const Progress& progress, Weights w) {
  Figures figures = figures_at(progress);
  if (test_) {
    figures.test = test_(w);
    tests_.push_back({progress, *figures.test});
  }
  attempt([&] { trace_.add(to_json(figures)); });
}

void RunObserver::on_stop(const Progress&, const Snapshot& run) {
  if (!settings_.checkpoint.empty()) save(run);
}

bool RunObserver::wants_stop() {
  return is_interrupted();
}

void RunObserver::finish(const Figures& figures) {
  console_.close();
  const std::vector<std::string>& lines = trace_.lines();
  const bool is_told = !lines.empty() && is_same_measurement(lines.back(), figures);
  attempt([&] { trace_.finish(to_json(figures), is_told); });
}

void RunObserver::save(const Snapshot& run) {
  attempt([&] { save_checkpoint(settings_.checkpoint, {task_options_, trace_.lines()}, run); });
  saved_at_ = std::chrono::steady_clock::now();
}

void RunObserver::attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const InputError& error) {
    console_.say(error.what());
    if (!failure_) failure_ = error.what();
  }
}

Figures RunObserver::figures_at(const Progress& progress) const {
  Figures figures = base_;
  figures.progress = progress;
  figures.peak_rss_bytes = peak_rss_bytes();
  return figures;
}

}  // namespace gapwise::internal::cli
