#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel_problem.h"
#include "core/parallel.h"
#include "verbs/train.h"

namespace gapwise::internal::cli {

/// Data that have been read, for one training run or for several on the same examples.
class Session {
 public:
  /// Reads what the settings name and tries the test data, so that a bad file is found before any
  /// training. `driver` outlives the session.
  Session(TaskDriver& driver, const TrainSettings& settings, const Threads& threads);

  /// What solvers see, a delay of the oracle included.
  const Problem& problem() const { return delayed_ ? *delayed_ : data_->problem(); }
  /// One line for people.
  std::string describe() const { return data_->describe(); }
  /// The figures that are known before a run.
  Figures figures_of(const TrainOptions& options) const;
  /// `options` with the order of the examples, if they use one; throws OptionError if they do not
  /// fit the data.
  TrainOptions fitted(TrainOptions options) const;

  /// Trains, certifies, tests and writes the model, trace and checkpoints of `settings`, whose data
  /// must be those of the session. `headline` is told before the first step.
  Trained run(const TrainSettings& settings, const TrainOptions& options,
              const std::string& headline) const;

 private:
  /// The model of weights w of the problem, or of its kernel form if there is one.
  ModelRecord make_model(const KernelProblem* kernel, Weights w) const;
  Metrics test(ModelRecord model, const Threads& threads) const;

  TaskDriver& driver_;
  std::string task_;
  std::unique_ptr<TrainingSet> data_;
  std::unique_ptr<Problem> delayed_;
  std::optional<DataSource> test_;
  std::vector<Index> order_;
};

}  // namespace gapwise::internal::cli
