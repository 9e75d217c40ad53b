#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gapwise/train_options.h"
#include "run/figures.h"
#include "tasks/task.h"

namespace gapwise::internal::cli {

/// What `train` is told besides the options of the solver and of the task.
struct TrainSettings {
  std::string task = "sequence";
  std::string data;
  std::string format;
  std::string train_folds;
  std::string test;
  std::string test_folds;
  std::string order;
  double oracle_delay = 0.0;  ///< milliseconds

  std::string model;
  std::string trace;
  bool trace_clock = true;
  bool trace_test = false;
  std::optional<Index> test_every;  ///< passes
  std::string checkpoint;
  double checkpoint_seconds = 30.0;
  std::string resume;
  bool json = false;
  bool quiet = false;

  bool tests_on_the_way() const { return trace_test || test_every.has_value(); }
};

/// A run that has ended.
struct Trained {
  Figures figures;
  std::vector<Progress> measurements;  ///< every gap pass of this run
  std::vector<Tested> tests;           ///< on the way
  std::unique_ptr<Predictor> predictor;
  std::optional<std::string> failure;  ///< why one of its files could not be written
};

/// Reads, trains, certifies and writes what the settings ask for. Nothing is written before the
/// data have been read and every option has been checked.
Trained run_training(TaskDriver& driver, const TrainSettings& settings,
                     const TrainOptions& options);

}  // namespace gapwise::internal::cli
