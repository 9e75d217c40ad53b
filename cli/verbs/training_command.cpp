#include "verbs/training_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "gapwise/check_oracle.h"
#include "run/order_file.h"
#include "shell/arguments.h"
#include "shell/exit_codes.h"
#include "shell/text.h"

namespace gapwise::internal::cli {
namespace {

constexpr double kLongestDelay = 60'000.0;  // milliseconds

/// The rows of `table` with these names, in this order, taken out of it.
OptionTable take(OptionTable& table, std::initializer_list<std::string_view> names) {
  OptionTable rows;
  for (const std::string_view name : names) {
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const Option& option) { return option.name == name; });
    if (row == table.end()) continue;
    rows.push_back(std::move(*row));
    table.erase(row);
  }
  return rows;
}

}  // namespace

void TrainingCommand::prepare(const Arguments& args) {
  if (const std::string task = peek_argument(args, "task"); !task.empty()) {
    driver_ = make_task_driver(task);
    settings_.task = task;
  }
}

std::vector<OptionGroup> TrainingCommand::reading_groups() {
  return {{"data", data_rows()}, {"task " + settings_.task, driver_->options()}};
}

std::vector<OptionGroup> TrainingCommand::training_groups_without(std::string_view option) {
  std::vector<OptionGroup> groups = training_groups();
  for (OptionGroup& group : groups) {
    std::erase_if(group.rows, [&](const Option& row) { return row.name == option; });
  }
  return groups;
}

std::vector<OptionGroup> TrainingCommand::training_groups() {
  OptionTable solver = option_table(options_);
  OptionTable objective = take(solver, {"lambda"});
  OptionTable stopping =
      take(solver, {"gap", "relative-gap", "max-passes", "max-seconds", "max-oracle-calls"});
  stopping.push_back(flag("require-converged", settings_.requires_convergence,
                          "exit code 5 if something other than the gap asked for ends the run"));
  solver.push_back(option("order", settings_.order, "FILE",
                          "visit the examples in this order (numbers from 1) in every pass; "
                          "means --sampling cyclic"));
  solver.push_back(option("oracle-delay", settings_.fit.oracle_delay, between(0.0, kLongestDelay),
                          "MS",
                          "make every call of the max oracle so many milliseconds longer, to see "
                          "what a slow one would do"));
  solver.push_back(flag("check-oracle", settings_.check_oracle,
                        "first test the max oracle at random weights: that it agrees with itself, "
                        "with its scores and with its losses (docs/design/oracle.md)"));
  std::vector<OptionGroup> groups = reading_groups();
  for (Option& row : test_rows()) groups.front().rows.push_back(std::move(row));
  groups.push_back({"objective", std::move(objective)});
  groups.push_back({"stopping", std::move(stopping)});
  groups.push_back({"solver", std::move(solver)});
  return groups;
}

OptionTable TrainingCommand::data_rows() {
  Option format = option("format", settings_.format, detail::join_choices(driver_->formats()),
                         "form of the data; .gz is read as it is");
  format.fallback = "told from the file";
  Option train_folds = option("train-folds", settings_.train_folds, "FOLDS",
                              "train on these folds only, as in 1-9 or 1,3,5-7");
  train_folds.fallback = "all but the test folds";
  OptionTable rows{choice("task", settings_.task, task_names(), "what is to be learned"),
                   option("data", settings_.data, "FILE", "training data; '-' is standard input"),
                   std::move(format), std::move(train_folds),
                   option("example-weights", settings_.example_weights, "FILE",
                          "a positive number on each line, for each training example: how often "
                          "it counts in the objective")};
  return rows;
}

OptionTable TrainingCommand::test_rows() {
  return {option("test", settings_.test, "FILE", "data to measure the result on"),
          option("test-folds", settings_.test_folds, "FOLDS",
                 "measure on these folds, of the data file if there is no --test")};
}

Option TrainingCommand::trace_clock_row() {
  return flag("trace-clock", settings_.trace_clock,
              "no: leave times and memory out, so that equal runs give equal traces");
}

Option TrainingCommand::trace_test_row() {
  return flag("trace-test", settings_.fit.tests_at_measurements,
              "test at every measurement, too; the time for it is not counted");
}

Option TrainingCommand::test_every_row() {
  return option("test-every", settings_.fit.test_every, at_least(1), "N",
                "test after every so many passes as well as at every measurement; the time for it "
                "is not counted");
}

Option TrainingCommand::quiet_row() {
  return flag("quiet", settings_.quiet, "no progress on standard error");
}

Option TrainingCommand::progress_row() {
  return choice("progress", settings_.progress,
                "what to show on standard error: a live line with a bar, a line or a JSON object "
                "per measurement; auto: a bar on a terminal, else lines");
}

Option TrainingCommand::report_row() {
  return option("report", settings_.report, "FILE",
                "a page with curves and tables, as 'gapwise report' makes them");
}

Option TrainingCommand::report_every_row() {
  return option("report-every", settings_.report_every, at_least(0.0), "S",
                "write the page while the run goes, after so many seconds at a measurement; it "
                "loads itself anew");
}

ReportInput TrainingCommand::report_base(const std::string& title) {
  ReportInput input;
  input.title = title;
  for (const OptionGroup& group : options()) {
    SettingsTable table{"Options: " + group.title, {}};
    for (const Option& row : group.rows) table.rows.emplace_back(row.name, row.get());
    input.settings.push_back(std::move(table));
  }
  return input;
}

std::string TrainingCommand::data_name() const {
  return std::filesystem::path(settings_.data).filename().string();
}

void TrainingCommand::check_inputs(const Outputs& outputs) const {
  outputs.check_input("data", settings_.data);
  outputs.check_input("test", settings_.test);
  outputs.check_input("example-weights", settings_.example_weights);
  outputs.check_input("order", settings_.order);
  outputs.check_input_files(driver_->options());
}

std::shared_ptr<const TrainingData> TrainingCommand::read(const Outputs& outputs,
                                                          const Prepare& prepare) {
  const OpenedFiles opened;
  const ReadingLine reading(data_name(), settings_.quiet, settings_.progress);
  auto data = read_data(settings_, prepare);
  if (!settings_.order.empty()) {
    options_.order = read_order(settings_.order, data->problem().num_blocks());
  }
  outputs.check_read(opened);
  if (settings_.check_oracle) {
    const OracleCheck done = check_oracle(data->problem(), {.seed = options_.seed});
    if (!settings_.quiet) {
      std::fputs(fmt::format("oracle checked: {} calls for {} examples, {} exact answers, no "
                             "contradiction\n",
                             done.calls, done.examples, done.exact)
                     .c_str(),
                 stderr);
    }
  }
  return data;
}

void TrainingCommand::check_can_converge(const std::string& solver) const {
  if (!settings_.requires_convergence || solver_info(solver).has_dual) return;
  throw OptionError(fmt::format(
      "--require-converged has no meaning for solver {}, which has no dual and so never knows its "
      "gap; leave it out, or take another solver",
      solver));
}

void TrainingCommand::check_converged(const std::string& who, const Figures& figures) {
  if (figures.status == StopReason::kConverged) return;
  const auto gap = figures.progress.relative_gap();
  throw EndedEarly(
      kNotConverged,
      fmt::format("--require-converged: {} did not converge: status {}, gap {}; raise the budget, "
                  "or ask for a larger gap",
                  who, figures.status ? name_of(*figures.status) : "none",
                  gap ? show_percent(*gap) + " of the primal" : "not measured"));
}

void TrainingCommand::take_task_options(const std::set<std::string>& given) {
  for (const Option& row : driver_->options()) {
    if (given.contains(row.name)) settings_.task_options[row.name] = row.get();
  }
}

void TrainingCommand::settle(const std::set<std::string>& given) {
  take_task_options(given);
  for (const char* name : {"trace-test", "test-every"}) {
    if (given.contains(name) && !given.contains("test") && !given.contains("test-folds")) {
      throw OptionError(
          fmt::format("--{} needs test data: give --test FILE or --test-folds FOLDS", name));
    }
  }
  if (!given.contains("order")) return;
  if (given.contains("sampling") && options_.sampling != Sampling::kCyclic) {
    throw OptionError(fmt::format("--order means --sampling cyclic, found --sampling {}",
                                  name_of(options_.sampling)));
  }
  options_.sampling = Sampling::kCyclic;
}

}  // namespace gapwise::internal::cli
