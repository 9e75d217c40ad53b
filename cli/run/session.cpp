#include "run/session.h"

#include <fmt/format.h>

#include <map>
#include <numeric>

#include "core/delayed_problem.h"
#include "io/folds.h"
#include "run/checkpoint.h"
#include "run/order_file.h"
#include "run/run_observer.h"
#include "run/signals.h"
#include "solve/training.h"
#include "verbs/model_input.h"

namespace gapwise::internal::cli {
namespace {

/// Options that decide what the data are and what is learned: those of a checkpoint must be equal.
std::map<std::string, std::string> task_options_of(TaskDriver& driver,
                                                   const TrainSettings& settings) {
  std::map<std::string, std::string> values{{"task", settings.task}};
  for (const Option& row : driver.options()) values[row.name] = row.get();
  if (settings.oracle_delay > 0.0) {  // solvers weigh the cost of the oracle
    values["oracle-delay"] = detail::show_number(settings.oracle_delay);
  }
  return values;
}

/// The examples to test on; none if the settings name none.
std::optional<DataSource> test_source(const TrainSettings& settings) {
  if (settings.test.empty() && settings.test_folds.empty()) return std::nullopt;
  return DataSource{settings.test.empty() ? settings.data : settings.test, settings.format,
                    settings.test_folds};
}

DataSource training_source(const TrainSettings& settings) {
  DataSource source{settings.data, settings.format, settings.train_folds};
  const bool is_one_file = settings.test.empty() || settings.test == settings.data;
  if (settings.train_folds.empty() && !settings.test_folds.empty() && is_one_file) {
    source.folds = Folds(settings.test_folds).others();
  }
  return source;
}

void check_sources(const TrainSettings& settings) {
  const auto test = test_source(settings);
  if (!test || test->path != "-") return;
  if (settings.data == "-") {
    throw OptionError(
        "training and test data cannot both come from standard input, which is read only once; "
        "save it to a file first");
  }
  if (settings.tests_on_the_way()) {
    throw OptionError("tests on the way read the test data many times; --test must be a file");
  }
}

/// Mean loss of the plain decode over the training set, [notation: L(y_i, yhat_i)].
double mean_loss(const Problem& problem, Weights w, const Threads& threads) {
  struct Scratch {
    std::unique_ptr<Oracle> oracle;
    PartScores theta;
    Corner corner;
  };
  std::vector<Scratch> scratch(static_cast<std::size_t>(threads.count()));
  std::vector<double> losses(static_cast<std::size_t>(problem.num_blocks()));
  threads.run(problem.num_blocks(), [&](Index begin, Index end, int slot) {
    Scratch& own = scratch[static_cast<std::size_t>(slot)];
    if (!own.oracle) own.oracle = problem.make_oracle();
    for (Index i = begin; i < end; ++i) {
      own.oracle->score(i, w, own.theta);
      own.oracle->decode(i, own.theta, Augment::kNone, own.corner);
      losses[static_cast<std::size_t>(i)] = own.corner.loss;
    }
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

/// How the model came about. Nothing here depends on the clock, the threads or on a resume.
void add_training_settings(const Report& report, const TrainOptions& options, Index dimension,
                           std::map<std::string, std::string>& settings) {
  const Progress& progress = report.progress;
  const auto number = [](std::optional<double> value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  settings["gapwise"] = GAPWISE_VERSION;
  settings["solver"] = options.solver;
  settings["objective"] = name_of(solver_info(options.solver).objective);
  settings["lambda"] = number(report.lambda);
  settings["n"] = fmt::format("{}", progress.n);
  settings["dimension"] = fmt::format("{}", dimension);
  settings["seed"] = fmt::format("{}", options.seed);
  settings["sampling"] = name_of(options.sampling);
  settings["step"] = name_of(options.step);
  if (!options.nonnegative.empty()) settings["nonnegative"] = options.nonnegative;
  settings["average"] = name_of(options.average);
  settings["status"] = name_of(report.reason);
  settings["passes"] = fmt::format("{}", progress.passes);
  settings["oracle_calls"] = fmt::format("{}", progress.oracle_calls);
  if (progress.support_structures) {
    settings["support_structures"] = fmt::format("{}", *progress.support_structures);
  }
  settings["primal"] = number(progress.primal);
  settings["dual"] = progress.has_dual() ? number(progress.dual) : "";
  settings["gap"] = number(progress.gap());
  settings["certified"] = progress.primal && progress.is_certified ? "yes" : "no";
}

}  // namespace

Session::Session(TaskDriver& driver, const TrainSettings& settings, const Threads& threads)
    : driver_(driver), task_(settings.task), test_(test_source(settings)) {
  check_sources(settings);
  data_ = driver.read_training(training_source(settings), threads);
  if (settings.oracle_delay > 0.0) {
    delayed_ = make_delayed_problem(data_->problem(), settings.oracle_delay);
  }
  if (!settings.order.empty()) order_ = read_order(settings.order, problem().num_blocks());
  if (test_ && test_->path != "-") {
    const std::vector<double> w(static_cast<std::size_t>(problem().dimension()));
    test(make_model(nullptr, w), threads);
  }
}

Figures Session::figures_of(const TrainOptions& options) const {
  Figures figures;
  figures.task = task_;
  figures.solver = options.solver;
  figures.objective = solver_info(options.solver).objective;
  figures.lambda = options.lambda.resolve(problem().num_blocks());
  figures.dimension = problem().dimension();
  figures.progress.n = problem().num_blocks();
  return figures;
}

TrainOptions Session::fitted(TrainOptions options) const {
  if (options.sampling == Sampling::kCyclic) options.order = order_;
  return gapwise::fitted(std::move(options), problem());
}

ModelRecord Session::make_model(const KernelProblem* kernel, Weights w) const {
  return kernel != nullptr ? data_->make_kernel_model(kernel->expansion(w)) : data_->make_model(w);
}

Metrics Session::test(ModelRecord model, const Threads& threads) const {
  return driver_.open(std::move(model))->evaluate(*test_, threads);
}

Trained Session::run(const TrainSettings& settings, const TrainOptions& asked,
                     const std::string& headline) const {
  const TrainOptions options = fitted(asked);
  const auto threads = make_threads(options.threads);
  Figures figures = figures_of(options);
  Training training(problem(), options);
  const KernelProblem* const kernel = training.kernel();
  std::function<Metrics(Weights)> test_on_the_way;
  if (settings.tests_on_the_way()) {
    test_on_the_way = [&](Weights w) { return test(make_model(kernel, w), *threads); };
  }
  const auto task_options = task_options_of(driver_, settings);
  RunObserver observer(settings, options, figures, task_options, test_on_the_way);

  if (!settings.resume.empty()) {
    observer.trace().restore(resume(settings.resume, task_options, training).trace);
  }
  catch_signals();
  observer.console().say(headline);
  const Report report = training.run(observer);

  ModelRecord model = make_model(kernel, report.w);
  add_training_settings(report, options, problem().dimension(), model.settings);
  if (!settings.model.empty()) observer.attempt([&] { save_model(model, settings.model); });
  figures.progress = report.progress;
  figures.status = report.reason;
  const Problem& trained = kernel != nullptr ? *kernel : data_->problem();
  figures.train_loss = mean_loss(trained, report.w, *threads);
  auto predictor = driver_.open(std::move(model));
  if (test_) figures.test = predictor->evaluate(*test_, *threads);
  figures.peak_rss_bytes = peak_rss_bytes();
  observer.finish(figures);
  return {std::move(figures), observer.measurements(), observer.tests(), std::move(predictor),
          observer.failure()};
}

}  // namespace gapwise::internal::cli
