#include <fmt/format.h>

#include <map>
#include <numeric>

#include "checkpoint.h"
#include "folds.h"
#include "gapwise/io/files.h"
#include "gapwise/solve/train.h"
#include "model_input.h"
#include "order_file.h"
#include "outputs.h"
#include "run_observer.h"
#include "signals.h"
#include "train.h"

namespace gapwise::cli {
namespace {

/// Options that decide what the data are and what is learned: those of a checkpoint must be equal.
std::map<std::string, std::string> task_options_of(TaskDriver& driver,
                                                   const TrainSettings& settings) {
  std::map<std::string, std::string> values{{"task", settings.task}};
  for (const Option& row : driver.options()) values[row.name] = row.get();
  return values;
}

void check_files(const TrainSettings& settings) {
  check_output("model", settings.model);
  check_output("trace", settings.trace);
  check_output("checkpoint", settings.checkpoint);
  check_regular("trace", settings.trace);
  check_distinct("model", settings.model, "trace", settings.trace);
  check_distinct("model", settings.model, "checkpoint", settings.checkpoint);
  check_distinct("trace", settings.trace, "checkpoint", settings.checkpoint);
  for (const auto& [name, input] :
       {std::pair{"data", settings.data}, std::pair{"test", settings.test},
        std::pair{"order", settings.order}}) {
    check_distinct(name, input, "model", settings.model);
    check_distinct(name, input, "trace", settings.trace);
    check_distinct(name, input, "checkpoint", settings.checkpoint);
  }
  if (!settings.resume.empty()) check_checkpoint(settings.resume);
}

DataSource training_source(const TrainSettings& settings) {
  DataSource source{settings.data, settings.format, settings.train_folds};
  const bool is_one_file = settings.test.empty() || settings.test == settings.data;
  if (settings.train_folds.empty() && !settings.test_folds.empty() && is_one_file) {
    source.folds = other_folds(settings.test_folds);
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
  if (settings.trace_test) {
    throw OptionError("--trace-test reads the test data many times; --test must be a file");
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
  settings["lambda"] = number(report.lambda);
  settings["n"] = fmt::format("{}", progress.n);
  settings["dimension"] = fmt::format("{}", dimension);
  settings["seed"] = fmt::format("{}", options.seed);
  settings["sampling"] = name_of(options.sampling);
  settings["step"] = name_of(options.step);
  settings["average"] = name_of(options.average);
  settings["status"] = name_of(report.reason);
  settings["passes"] = fmt::format("{}", progress.passes);
  settings["oracle_calls"] = fmt::format("{}", progress.oracle_calls);
  settings["primal"] = number(progress.primal);
  settings["dual"] = number(progress.dual);
  settings["gap"] = number(progress.gap());
  settings["certified"] = progress.primal && progress.is_certified ? "yes" : "no";
}

}  // namespace

std::optional<DataSource> test_source(const TrainSettings& settings) {
  if (settings.test.empty() && settings.test_folds.empty()) return std::nullopt;
  return DataSource{settings.test.empty() ? settings.data : settings.test, settings.format,
                    settings.test_folds};
}

Trained run_training(TaskDriver& driver, const TrainSettings& settings, TrainOptions options) {
  check_sources(settings);
  check_files(settings);
  const auto threads = make_threads(options.threads);
  const auto data = driver.read_training(training_source(settings), *threads);
  const Problem& problem = data->problem();
  if (!settings.order.empty()) options.order = read_order(settings.order, problem.num_blocks());

  const auto test = test_source(settings);
  const auto test_at = [&](Weights w) {
    return driver.open(data->make_model(w))->evaluate(*test, *threads);
  };
  Figures figures{settings.task,
                  options.solver,
                  options.lambda.resolve(problem.num_blocks()),
                  problem.dimension(),
                  {},
                  {},
                  {},
                  {}};
  const auto task_options = task_options_of(driver, settings);
  RunObserver observer(settings, options, figures, task_options,
                       settings.trace_test ? test_at : std::function<Metrics(Weights)>());

  Training training(problem, options);
  if (!settings.resume.empty()) {
    observer.trace().restore(resume(settings.resume, task_options, training).trace);
  }
  if (test && test->path != "-") {  // a bad test file is better found now than after training
    test_at(std::vector<double>(static_cast<std::size_t>(problem.dimension())));
  }

  catch_signals();
  observer.console().say(data->describe());
  const Report report = training.run(observer);

  Model model = data->make_model(report.w);
  add_training_settings(report, options, problem.dimension(), model.settings);
  if (!settings.model.empty()) observer.attempt([&] { save_model(model, settings.model); });
  figures.progress = report.progress;
  figures.status = report.reason;
  figures.train_loss = mean_loss(problem, report.w, *threads);
  auto predictor = driver.open(std::move(model));
  if (test) figures.test = predictor->evaluate(*test, *threads);
  observer.finish(figures);
  return {std::move(figures), std::move(predictor), observer.failure()};
}

}  // namespace gapwise::cli
