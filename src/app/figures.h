#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gapwise/metrics.h"
#include "gapwise/progress.h"

namespace gapwise::internal {

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
  bool is_relaxed = false;     ///< primal, dual and gap are those of a relaxation
  std::optional<Index> tight;  ///< examples for which it is none
  std::optional<Metrics> test;
  bool is_cut_short = false;            ///< there was no time for the test or the training loss
  std::vector<double> block_gaps = {};  ///< of every example at the end, if they are known
  Index peak_rss_bytes = 0;             ///< of the program when these figures were taken
};

/// A test on the way.
struct Tested {
  Progress progress;
  Metrics metrics;
};

}  // namespace gapwise::internal
