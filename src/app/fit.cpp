#include "gapwise/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/checkpoint.h"
#include "app/loaded_model.h"
#include "app/provenance.h"
#include "app/rounds/label_rounds.h"
#include "app/train_loss.h"
#include "app/training_run.h"
#include "core/delayed_problem.h"
#include "core/stop.h"
#include "core/subset_problem.h"
#include "gapwise/lambda_search.h"
#include "solve/training.h"

namespace gapwise::internal {
namespace {

/// Of several ranks one writes files and looks at the clock.
bool leads(const FitSettings& settings) {
  return settings.ranks == nullptr || settings.ranks->leads();
}

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
    note_restore_point();
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
    note_restore_point();
    user_.on_measure(progress, w);
    if (settings_.tests_at_measurements || settings_.test_every) test(progress, w);
  }

  void on_stop(const Progress& progress, const Snapshot& run) override {
    save(run);
    user_.on_stop(progress, run);
  }

  bool wants_stop() override {
    if (leads(settings_) && user_.wants_checkpoint()) save(training_);
    return user_.wants_stop();
  }

  const std::optional<std::string>& failure() const { return failure_; }

 private:
  /// A stop request ends it, and with it the run (GivenUp).
  void test(const Progress& progress, Weights w) {
    const StopCondition condition{.flag = settings_.stop,
                                  .earliest = seconds_from_now(StopRequest().patience)};
    const StopScope scope(&condition);
    user_.on_test(progress, data_.test(w, training_.kernel(), threads_));
  }

  /// Before anything is told that a run which goes back has to tell once more.
  void note_restore_point() {
    if (!notes_.save || point_ == training_.restore_points()) return;
    point_ = training_.restore_points();
    lines_at_point_ = notes_.save().size();
  }

  /// What was told up to the state that is saved.
  std::vector<std::string> lines() const {
    if (!notes_.save) return {};
    std::vector<std::string> lines = notes_.save();
    const bool is_older = training_.went_back() && point_ == training_.restore_points();
    if (is_older) lines.resize(std::min(lines.size(), lines_at_point_));
    return lines;
  }

  void save(const Snapshot& run) {
    if (settings_.checkpoint.empty() || !leads(settings_)) return;
    try {
      save_checkpoint(settings_.checkpoint, {data_.identity(), lines()}, run);
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
  Index point_ = 0;                 ///< number of the restore point of the run
  std::size_t lines_at_point_ = 0;  ///< that were told before it
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

/// The condition for what follows the training, all of it together. Where a single step took too
/// long for somebody who interrupted it there is no hope for the rest.
StopCondition judging_condition(const Training& training, const FitSettings& settings,
                                const Report& report) {
  if (!leads(settings)) return {};
  StopCondition condition{.flag = settings.stop,
                          .earliest = seconds_from_now(StopRequest().patience)};
  const std::optional<double> max_seconds = training.options().max_seconds;
  if (report.reason == StopReason::kInterrupted) {
    condition.deadline = seconds_from_now(training.went_back() ? 0.0 : Stopper::kPatience);
    condition.earliest = condition.deadline;
  } else if (max_seconds) {
    condition.deadline = seconds_from_now(most_seconds(*max_seconds) - report.progress.seconds);
  }
  return condition;
}

/// The test and the training loss, as far as there is time for them.
void judge(const TrainingData& data, const FitSettings& settings, const Threads& threads,
           Fit& fit) {
  const Training& training = fit.run->training;
  const KernelProblem* const kernel = training.kernel();
  const Problem& trained = kernel != nullptr ? *kernel : data.examples().problem();
  const StopCondition condition = judging_condition(training, settings, fit.report);
  const StopScope scope(&condition);
  try {
    if (data.has_test()) fit.test = data.test(fit.report.w, kernel, threads);
    fit.train_loss =
        train_loss(trained, data.examples().weights(), fit.report.w, threads, settings.ranks);
    if (trained.is_relaxed()) {
      fit.tight = tight_relaxations(trained, fit.report.w, threads, settings.ranks);
    }
  } catch (const GivenUp&) {
    if (settings.ranks != nullptr) settings.ranks->settle_given_up();
    fit.is_cut_short = true;
  }
}

}  // namespace

TrainingData::TrainingData(Examples train, const std::optional<Examples>& test, double oracle_delay)
    : examples_(std::move(train)), identity_(identity_of(examples_.set(), oracle_delay)) {
  if (oracle_delay > 0.0) delayed_ = make_delayed_problem(examples_.problem(), oracle_delay);
  if (test) test_ = std::make_unique<TestSet>(examples_.set(), test->set());
}

TrainingData::TrainingData(Examples train, std::vector<Index> chosen, std::unique_ptr<TestSet> test,
                           double oracle_delay)
    : examples_(std::move(train)),
      subset_(make_subset_problem(examples_.problem(), std::move(chosen))),
      test_(std::move(test)),
      identity_(identity_of(examples_.set(), oracle_delay)) {
  if (oracle_delay > 0.0) delayed_ = make_delayed_problem(*subset_, oracle_delay);
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
  const auto run =
      std::make_shared<FinishedRun>(data, options, settings.ranks);  // checks the options
  const auto threads = make_threads(options.threads);
  Training& training = run->training;
  if (settings.start != nullptr) training.start_from(settings.start->run->training);
  if (settings.start_weights) training.start_from(*settings.start_weights);
  if (!settings.resume.empty()) {
    auto lines = resume(settings.resume, data->identity(), training, settings.ranks).trace;
    if (notes.restore) notes.restore(std::move(lines));
  }
  FitObserver watcher(*data, settings, training, *threads, notes, observer);
  Report report = training.run(watcher, {.flag = settings.stop});

  const KernelProblem* const kernel = training.kernel();
  ModelRecord record = data->make_record(report.w, kernel);
  add_provenance(report, training.options(), data->problem(), record.settings);
  const LabelRounds* const rounds = data->examples().set().label_rounds();
  if (rounds != nullptr) {
    record.settings["completed_labels"] = fmt::format("{}", rounds->unknown);
    record.settings["label_rounds"] = fmt::format("{}", rounds->rounds.size() + 1);
  }
  Fit fit{make_model(std::move(record)),
          std::move(report),
          {},
          {},
          {},
          {},
          false,
          watcher.failure(),
          run};
  if (rounds != nullptr) fit.label_rounds = *rounds;
  judge(*data, settings, *threads, fit);
  return fit;
}

}  // namespace gapwise::internal

namespace gapwise {

namespace {

/// Passes the wish to stop on to a search.
class StopOnly final : public LambdaSearchObserver {
 public:
  explicit StopOnly(Observer& user) : user_(user) {}
  void on_failure(const std::string& what) override { user_.on_failure(what); }
  bool wants_stop() override { return user_.wants_stop(); }

 private:
  Observer& user_;
};

}  // namespace

Fit fit(const Examples& examples, const TrainOptions& options, Observer& observer,
        const FitSettings& settings) {
  if (internal::has_unknown_labels(examples)) {
    return fit(internal::complete_labels(examples, options, observer, settings), options, observer,
               settings);
  }
  if (options.lambda.is_auto) {
    LambdaSearchSettings search;
    search.is_quick = true;
    search.path.stop = settings.stop;
    search.path.oracle_delay = settings.oracle_delay;
    StopOnly watcher(observer);
    const LambdaSearch found = search_lambda(examples, options, search, watcher);
    return fit(examples, with_chosen(options, found), observer, settings);
  }
  const auto data = std::make_shared<const internal::TrainingData>(examples, settings.test,
                                                                   settings.oracle_delay);
  return internal::run_fit(data, options, settings, observer);
}

Fit fit(const Examples& examples, const TrainOptions& options, const FitSettings& settings) {
  Observer nobody;
  return fit(examples, options, nobody, settings);
}

}  // namespace gapwise
