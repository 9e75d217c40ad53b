#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/row_store.h"
#include "core/parallel.h"
#include "gapwise/examples.h"
#include "gapwise/progress.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// The name of the task of problems that users bring along.
inline constexpr const char* kOwnTask = "own";

/// What an `Examples` is a handle of: a file, rows in memory or a problem of the user's own, with
/// the task that reads them and, once asked for, the training set they make.
class ExampleSet {
 public:
  /// The examples of `whole`, or pieces of them, with labels that were completed as `rounds` says.
  /// To be trained on.
  ExampleSet(const ExampleSet& whole, std::unique_ptr<TrainingSet> training, LabelRounds rounds);
  ExampleSet(std::unique_ptr<TaskDriver> driver, DataSource source);
  ExampleSet(std::unique_ptr<TaskDriver> driver, RowStore rows);
  explicit ExampleSet(std::shared_ptr<const Problem> own);

  const std::string& task() const { return task_; }
  bool is_own() const { return own_ != nullptr; }
  const std::shared_ptr<const Problem>& own() const { return own_; }
  const Problem& problem() const { return is_own() ? *own_ : training().problem(); }
  std::string describe() const;
  /// How labels were completed; null if all were known.
  const LabelRounds* label_rounds() const { return rounds_done_ ? &*rounds_done_ : nullptr; }

  /// Of a task; not for an own problem.
  const TaskDriver& driver() const { return *driver_; }
  /// Read or numbered when it is first asked for.
  const TrainingSet& training() const;
  /// The values of all options of the task, by name.
  const TaskOptions& options() const { return options_; }

  /// The examples as a model sees them: a file is read anew, rows are numbered anew.
  std::vector<std::unique_ptr<Batch>> batches(const Predictor& predictor, Purpose purpose) const;
  /// The same to compare with the truth, each example by itself.
  std::vector<std::unique_ptr<Batch>> single_batches(const Predictor& predictor) const;

 private:
  std::unique_ptr<TrainingSet> make_training() const;
  void check_labels() const;

  std::string task_;
  std::unique_ptr<TaskDriver> driver_;
  TaskOptions options_;
  std::optional<DataSource> source_;
  std::optional<RowStore> rows_;
  std::shared_ptr<const Problem> own_;
  std::optional<LabelRounds> rounds_done_;
  mutable std::once_flag is_made_;
  mutable std::unique_ptr<TrainingSet> training_;
};

/// A driver with these options. OptionError for a task or an option that there is not.
std::unique_ptr<TaskDriver> make_task_driver(std::string_view task, const TaskOptions& options);

/// As many threads as asked for, or as this process may use.
std::unique_ptr<Threads> make_threads(const std::optional<Index>& count);

}  // namespace gapwise::internal
