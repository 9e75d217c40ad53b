#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/training_run.h"
#include "gapwise/fit.h"
#include "run/console.h"
#include "run/figures.h"
#include "run/report_writer.h"

namespace gapwise::internal::cli {

/// What the verbs that train are told besides the options of the solver and of the task.
struct TrainSettings {
  std::string task = "sequence";
  TaskOptions task_options;
  std::string data;
  std::string format;
  std::string train_folds;
  std::string example_weights;
  std::string test;
  std::string test_folds;
  std::string order;
  double oracle_delay = 0.0;  ///< milliseconds
  Index label_rounds = 2;     ///< of training, if labels are not known

  bool check_oracle = false;

  std::string model;
  std::string proof;
  std::string trace;
  bool trace_clock = true;
  bool trace_test = false;
  std::optional<Index> test_every;  ///< passes
  std::string checkpoint;
  double checkpoint_seconds = 30.0;
  std::string resume;
  std::string report;
  std::optional<double> report_every;     ///< seconds
  ReportWriter* report_writer = nullptr;  ///< told of every measurement; null: none
  std::string report_label;               ///< of the run in the report
  bool requires_convergence = false;
  bool json = false;
  bool quiet = false;
  ProgressForm progress = ProgressForm::kAuto;

  Ranks* ranks = nullptr;  ///< the job of which every rank trains; null: none

  /// Whether this process prints and writes files.
  bool leads() const { return ranks == nullptr || ranks->leads(); }
  /// As a rank that does not: it reads and trains.
  void follow();

  bool tests_on_the_way() const { return trace_test || test_every.has_value(); }
};

/// A run that has ended.
struct Trained {
  Figures figures;
  std::vector<Progress> measurements;  ///< every gap pass of this run
  std::vector<Tested> tests;           ///< on the way
  std::vector<std::string> lines;      ///< of the trace, whether it is written or not
  Model model;
  std::optional<std::string> failure;  ///< why one of its files could not be written
};

/// What is done with examples between reading and training.
using Prepare = std::function<Examples(Examples)>;

/// Reads the training and the test data that the settings name.
std::shared_ptr<const TrainingData> read_data(const TrainSettings& settings,
                                              const Prepare& prepare = {});

/// The examples to test on; none if the settings name none.
std::optional<Examples> test_examples(const TrainSettings& settings);

/// Where they are; none if the settings name none.
std::optional<DataSource> test_source(const TrainSettings& settings);

/// The figures that are known before a run.
Figures figures_of(const TrainingData& data, const TrainOptions& options);

/// Trains and certifies on `data`, told `headline` before the first step; shows progress and writes
/// model, trace and checkpoints as the settings say.
Trained run_training(const std::shared_ptr<const TrainingData>& data, const TrainSettings& settings,
                     const TrainOptions& options, const std::string& headline);

}  // namespace gapwise::internal::cli
