#include "gapwise/fit.h"

#include <fmt/format.h>

#include <chrono>

#include "app/checkpoint.h"
#include "app/loaded_model.h"
#include "app/provenance.h"
#include "app/train_loss.h"
#include "app/training_run.h"
#include "core/delayed_problem.h"
#include "solve/training.h"

namespace gapwise::internal {
namespace {

/// Stands between a run and the observer of its user: tests on the way and saves checkpoints. A
/// file that cannot be written does not end the run.
class FitObserver final : public Observer {
 public:
  FitObserver(const TrainingData& data, const FitSettings& settings, const Training& training,
              const Threads& threads, const Notes& notes, Observer& user)
      : data_(data),
        settings_(settings),
        training_(training),
        threads_(threads),
        notes_(notes),
        user_(user) {}

  void on_pass(const Progress& progress, const Snapshot& run) override {
    user_.on_pass(progress, run);
    const bool is_test_due = settings_.test_every && progress.passes % *settings_.test_every == 0;
    if (is_test_due && !progress.primal) {
      std::vector<double> w;
      run.weights(w);
      test(progress, w);
    }
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - saved_at_;
    if (since.count() >= settings_.checkpoint_seconds) save(run);
  }

  void on_measure(const Progress& progress, Weights w) override {
    user_.on_measure(progress, w);
    if (settings_.tests_at_measurements || settings_.test_every) test(progress, w);
  }

  void on_stop(const Progress& progress, const Snapshot& run) override {
    save(run);
    user_.on_stop(progress, run);
  }

  bool wants_stop() override { return user_.wants_stop(); }

  const std::optional<std::string>& failure() const { return failure_; }

 private:
  void test(const Progress& progress, Weights w) {
    user_.on_test(progress, data_.test(w, training_.kernel(), threads_));
  }

  void save(const Snapshot& run) {
    if (settings_.checkpoint.empty()) return;
    try {
      const auto lines = notes_.save ? notes_.save() : std::vector<std::string>();
      save_checkpoint(settings_.checkpoint, {data_.identity(), lines}, run);
    } catch (const InputError& error) {
      if (!failure_) failure_ = error.what();
      user_.on_failure(error.what());
    }
    saved_at_ = std::chrono::steady_clock::now();
  }

  const TrainingData& data_;
  const FitSettings& settings_;
  const Training& training_;
  const Threads& threads_;
  const Notes& notes_;
  Observer& user_;
  std::chrono::steady_clock::time_point saved_at_ = std::chrono::steady_clock::now();
  std::optional<std::string> failure_;
};

TaskOptions identity_of(const ExampleSet& set, double oracle_delay) {
  TaskOptions identity = set.options();
  identity["task"] = set.task();
  if (oracle_delay > 0.0) {  // solvers weigh the cost of the oracle
    identity["oracle-delay"] = detail::show_number(oracle_delay);
  }
  return identity;
}

void check_settings(const TrainingData& data, const FitSettings& settings) {
  const bool tests_on_the_way = settings.tests_at_measurements || settings.test_every;
  if (tests_on_the_way && !data.has_test()) {
    throw OptionError("tests on the way need test examples");
  }
  const int starts = (settings.start != nullptr ? 1 : 0) + (settings.start_weights ? 1 : 0) +
                     (settings.resume.empty() ? 0 : 1);
  if (starts > 1) {
    throw OptionError(
        "a run starts from weights, from an earlier fit or from a checkpoint: give one");
  }
  if (settings.test_every && *settings.test_every < 1) {
    throw OptionError(fmt::format("test-every = {} must be >= 1", *settings.test_every));
  }
  if (!(settings.checkpoint_seconds >= 0.0)) {
    throw OptionError(
        fmt::format("checkpoint-seconds = {} must be >= 0", settings.checkpoint_seconds));
  }
}

}  // namespace

TrainingData::TrainingData(Examples train, const std::optional<Examples>& test, double oracle_delay)
    : examples_(std::move(train)), identity_(identity_of(examples_.set(), oracle_delay)) {
  if (oracle_delay > 0.0) delayed_ = make_delayed_problem(examples_.problem(), oracle_delay);
  if (test) test_ = std::make_unique<TestSet>(examples_.set(), test->set());
}

ModelRecord TrainingData::make_record(Weights w, const KernelProblem* kernel, Keep keep) const {
  const ExampleSet& set = examples_.set();
  if (!set.is_own()) {
    return kernel != nullptr ? set.training().make_kernel_model(kernel->expansion(w), keep)
                             : set.training().make_model(w, keep);
  }
  if (kernel != nullptr) {
    throw OptionError("a problem of one's own has no kernel models; train it with another solver");
  }
  ModelRecord record;
  record.task = kOwnTask;
  record.w.assign(w.begin(), w.end());
  return record;
}

Fit run_fit(const std::shared_ptr<const TrainingData>& data, const TrainOptions& options,
            const FitSettings& settings, Observer& observer, const Notes& notes) {
  check_settings(*data, settings);
  const auto run = std::make_shared<FinishedRun>(data, options);  // checks the options
  const auto threads = make_threads(options.threads);
  Training& training = run->training;
  if (settings.start != nullptr) training.start_from(settings.start->run->training);
  if (settings.start_weights) training.start_from(*settings.start_weights);
  if (!settings.resume.empty()) {
    auto lines = resume(settings.resume, data->identity(), training).trace;
    if (notes.restore) notes.restore(std::move(lines));
  }
  FitObserver watcher(*data, settings, training, *threads, notes, observer);
  Report report = training.run(watcher);

  const KernelProblem* const kernel = training.kernel();
  ModelRecord record = data->make_record(report.w, kernel);
  add_provenance(report, training.options(), data->problem().dimension(), record.settings);
  const Problem& trained = kernel != nullptr ? *kernel : data->examples().problem();
  const std::optional<double> loss = train_loss(trained, report.w, *threads);
  std::optional<Metrics> test;
  if (data->has_test()) test = data->test(report.w, kernel, *threads);
  return {make_model(std::move(record)),
          std::move(report),
          loss,
          std::move(test),
          watcher.failure(),
          run};
}

}  // namespace gapwise::internal

namespace gapwise {

Fit fit(const Examples& examples, const TrainOptions& options, Observer& observer,
        const FitSettings& settings) {
  const auto data = std::make_shared<const internal::TrainingData>(examples, settings.test,
                                                                   settings.oracle_delay);
  return internal::run_fit(data, options, settings, observer);
}

Fit fit(const Examples& examples, const TrainOptions& options, const FitSettings& settings) {
  Observer nobody;
  return fit(examples, options, nobody, settings);
}

}  // namespace gapwise
