#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/example_set.h"
#include "app/test_set.h"
#include "gapwise/fit.h"
#include "solve/training.h"

namespace gapwise::internal {

/// Examples made ready for training: the problem that solvers see and the test examples numbered
/// by its names, for one fit or for several on the same data.
class TrainingData {
 public:
  /// Reads and numbers the test examples, so that a bad file is found before any training.
  TrainingData(Examples train, const std::optional<Examples>& test, double oracle_delay);
  /// Some of the examples only, with their numbers from 0 on, and what to test on.
  TrainingData(Examples train, std::vector<Index> chosen, std::unique_ptr<TestSet> test,
               double oracle_delay);

  const Examples& examples() const { return examples_; }
  /// With the delay of the oracle, if there is one.
  const Problem& problem() const { return delayed_ ? *delayed_ : chosen(); }
  bool has_test() const { return test_ != nullptr; }
  Metrics test(Weights w, const KernelProblem* kernel, const Threads& threads) const {
    return test_->evaluate(w, kernel, threads);
  }
  /// The record of a model of weights w, without provenance.
  ModelRecord make_record(Weights w, const KernelProblem* kernel, Keep keep = Keep::kUsed) const;
  /// What decides what is learned, by name: those of a checkpoint must be equal.
  const TaskOptions& identity() const { return identity_; }

 private:
  /// Without the delay.
  const Problem& chosen() const { return subset_ ? *subset_ : examples_.problem(); }

  Examples examples_;
  std::unique_ptr<Problem> subset_;
  std::unique_ptr<Problem> delayed_;
  std::unique_ptr<TestSet> test_;
  TaskOptions identity_;
};

/// A run that has ended, on the data it holds on to.
struct FinishedRun {
  FinishedRun(std::shared_ptr<const TrainingData> with, const TrainOptions& options,
              Ranks* ranks = nullptr)
      : data(std::move(with)), training(data->problem(), options, ranks) {}

  std::shared_ptr<const TrainingData> data;
  Training training;
};

/// What a checkpoint holds besides the state of the run: lines that the observer wants back.
struct Notes {
  std::function<std::vector<std::string>()> save;
  std::function<void(std::vector<std::string>)> restore;
};

/// One fit on data that are ready. The test and the delay of `settings` are those of `data`. In a
/// job of several ranks only rank 0 has test examples, an observer that shows or stops anything, a
/// checkpoint to write and one to read.
Fit run_fit(const std::shared_ptr<const TrainingData>& data, const TrainOptions& options,
            const FitSettings& settings, Observer& observer, const Notes& notes = {});

}  // namespace gapwise::internal
