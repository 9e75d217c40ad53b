#pragma once

#include <optional>
#include <string>

#include "gapwise/progress.h"
#include "gapwise/train_options.h"
#include "tasks/task.h"

namespace gapwise::internal::cli {

/// What is told about a run at one measurement: the keys of the summary and of a trace line.
struct Figures {
  std::string task;
  std::string solver;
  Objective objective = Objective::kL1;
  double lambda = 0.0;
  Index dimension = 0;
  Progress progress;
  std::optional<StopReason> status;  ///< none while the run goes on
  std::optional<double> train_loss;
  std::optional<Metrics> test;
  Index peak_rss_bytes = 0;  ///< of the program when these figures were taken
};

/// A test on the way.
struct Tested {
  Progress progress;
  Metrics metrics;
};

/// The most memory the program has had so far.
Index peak_rss_bytes();

/// One JSON object on one line, without a line end; unknown values are null and doubles read back
/// as the same doubles.
std::string to_json(const Figures& figures);

/// A line of to_json without the keys that differ from run to run (times and memory).
std::string without_clock(const std::string& json);

/// Whether a line of to_json speaks of the same moment of the run.
bool is_same_measurement(const std::string& json, const Figures& figures);

/// The metrics as one JSON object.
std::string to_json(const Metrics& metrics);

/// Where the files of a run are, for the table.
struct Places {
  std::string model;
  std::string trace;
  std::string checkpoint;
};

/// A short aligned table for people.
std::string to_table(const Figures& figures, const Places& places);

}  // namespace gapwise::internal::cli
