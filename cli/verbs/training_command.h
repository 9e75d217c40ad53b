#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gapwise/train_options.h"
#include "run/outputs.h"
#include "run/training.h"
#include "shell/command.h"
#include "tasks/task.h"

namespace gapwise::internal::cli {

/// What the verbs that train have in common: the data, the task, the objective, the budgets and the
/// options of the solvers.
class TrainingCommand : public Command {
 public:
  void prepare(const Arguments& args) override;
  bool depends_on_task() const override { return true; }

 protected:
  /// What decides which examples there are; the others are added by training_groups.
  std::vector<OptionGroup> reading_groups();
  std::vector<OptionGroup> training_groups();
  std::vector<OptionGroup> training_groups_without(std::string_view option);
  Option trace_clock_row();
  Option trace_test_row();
  Option test_every_row();
  Option quiet_row();
  Option progress_row();
  Option report_row();
  Option report_every_row();

  /// The values of the options of the task that were given.
  void take_task_options(const std::set<std::string>& given);
  /// Completes the settings from the options that imply others; throws OptionError for options
  /// that contradict each other.
  void settle(const std::set<std::string>& given);

  /// OptionError if one of the outputs is a file that the options name to be read.
  void check_inputs(const Outputs& outputs) const;
  /// Throws OptionError if convergence is required and the solver has no gap that tells of it.
  void check_can_converge(const std::string& solver) const;
  /// Throws EndedEarly unless `who` converged.
  static void check_converged(const std::string& who, const Figures& figures);

  /// The page that is asked for, without its runs, with all settings as they are now.
  ReportInput report_base(const std::string& title);
  /// The name of the data without their folder.
  std::string data_name() const;

  /// Reads and prepares the data, and reads the order of the examples into the options.
  /// OptionError if one of the outputs is a file that was read.
  std::shared_ptr<const TrainingData> read(const Outputs& outputs, const Prepare& prepare = {});

  TrainSettings settings_;
  TrainOptions options_;
  std::unique_ptr<TaskDriver> driver_ = make_task_driver(settings_.task);

 private:
  OptionTable data_rows();
  OptionTable test_rows();
};

}  // namespace gapwise::internal::cli
