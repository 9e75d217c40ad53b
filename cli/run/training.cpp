#include "run/training.h"

#include <fmt/format.h>

#include "core/archive.h"
#include "io/folds.h"
#include "run/example_weights.h"
#include "run/outputs.h"
#include "run/run_observer.h"
#include "run/signals.h"

namespace gapwise::internal::cli {
namespace {

DataSource training_source(const TrainSettings& settings) {
  DataSource source{settings.data, settings.format, settings.train_folds};
  const bool is_one_file = settings.test.empty() || settings.test == settings.data;
  if (settings.train_folds.empty() && !settings.test_folds.empty() && is_one_file) {
    source.folds = Folds(settings.test_folds).others();
  }
  return source;
}

FitSettings fit_settings(const TrainSettings& settings) {
  FitSettings result;
  result.tests_at_measurements = settings.trace_test;
  result.test_every = settings.test_every;
  result.checkpoint = settings.checkpoint;
  result.checkpoint_seconds = settings.checkpoint_seconds;
  result.resume = settings.resume;
  result.stop = &stop_flag();
  result.ranks = settings.ranks;
  return result;
}

/// The ranks have read the same data, or all end with an InputError.
void check_same_data(const TrainingData& data, Ranks& ranks) {
  const Problem& problem = data.problem();
  ByteWriter mine;
  mine.u64(problem.fingerprint());
  mine.i64(problem.num_blocks());
  mine.i64(problem.dimension());
  if (const int other = ranks.find_other(Meeting::kData, mine.bytes()); other > 0) {
    throw InputError(
        fmt::format("{} has read other training data than rank 0, which has read {} "
                    "examples with {} features; give every rank the same files",
                    ranks.name(other), problem.num_blocks(), problem.dimension()));
  }
}

}  // namespace

void TrainSettings::follow() {
  for (std::string* file : {&model, &proof, &trace, &report, &checkpoint, &test, &test_folds}) {
    file->clear();
  }
  trace_test = check_oracle = json = false;
  test_every.reset();
  report_every.reset();
  quiet = true;
}

std::optional<DataSource> test_source(const TrainSettings& settings) {
  if (settings.test.empty() && settings.test_folds.empty()) return std::nullopt;
  return DataSource{settings.test.empty() ? settings.data : settings.test, settings.format,
                    settings.test_folds};
}

std::shared_ptr<const TrainingData> read_data(const TrainSettings& settings,
                                              const Prepare& prepare) {
  const std::optional<DataSource> source = test_source(settings);
  if (source && source->path == settings.data) check_read_again(settings.data);
  Examples train = with_weights_of(
      read_examples(settings.task, training_source(settings), settings.task_options),
      settings.example_weights);
  if (prepare) train = prepare(std::move(train));
  auto data = std::make_shared<const TrainingData>(std::move(train), test_examples(settings),
                                                   settings.oracle_delay);
  if (settings.ranks != nullptr) check_same_data(*data, *settings.ranks);
  return data;
}

std::optional<Examples> test_examples(const TrainSettings& settings) {
  const std::optional<DataSource> source = test_source(settings);
  if (!source) return std::nullopt;
  return open_examples(settings.task, *source, settings.task_options);
}

Figures figures_of(const TrainingData& data, const TrainOptions& options) {
  Figures figures;
  figures.task = data.examples().task();
  figures.solver = options.solver;
  figures.objective = solver_info(options.solver).objective;
  figures.lambda = options.lambda.resolve(data.problem().num_blocks());
  figures.dimension = data.problem().dimension();
  figures.progress.n = data.problem().num_blocks();
  figures.is_relaxed = data.problem().is_relaxed();
  return figures;
}

Trained run_training(const std::shared_ptr<const TrainingData>& data, const TrainSettings& settings,
                     const TrainOptions& options, const std::string& headline) {
  Figures figures = figures_of(*data, options);
  RunObserver observer(settings, options, figures, headline);
  const Notes notes{
      .save = [&] { return observer.trace().lines(); },
      .restore =
          [&](std::vector<std::string> lines) { observer.trace().restore(std::move(lines)); }};
  catch_signals();
  Fit fit = run_fit(data, options, fit_settings(settings), observer, notes);
  if (!settings.model.empty()) observer.stage("writing the model ...");
  if (!settings.model.empty()) observer.attempt([&] { fit.model.save(settings.model); });
  if (!settings.proof.empty()) observer.attempt([&] { fit.save_proof(settings.proof); });
  figures.progress = fit.report.progress;
  figures.status = fit.report.reason;
  figures.train_loss = fit.train_loss;
  figures.tight = fit.tight;
  figures.test = fit.test;
  figures.is_cut_short = fit.is_cut_short;
  figures.block_gaps = fit.run->training.block_gaps();
  figures.peak_rss_bytes = peak_rss_bytes();
  observer.finish(figures);
  return {std::move(figures),       observer.measurements(), observer.tests(),
          observer.trace().lines(), std::move(fit.model),    observer.failure()};
}

}  // namespace gapwise::internal::cli
