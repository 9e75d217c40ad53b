#include "verbs/training_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "run/order_file.h"
#include "shell/arguments.h"

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

std::vector<OptionGroup> TrainingCommand::training_groups() {
  OptionTable solver = option_table(options_);
  OptionTable objective = take(solver, {"lambda"});
  OptionTable stopping =
      take(solver, {"gap", "relative-gap", "max-passes", "max-seconds", "max-oracle-calls"});
  solver.push_back(option("order", settings_.order, "FILE",
                          "visit the examples in this order (numbers from 1) in every pass; "
                          "means --sampling cyclic"));
  solver.push_back(option("oracle-delay", settings_.oracle_delay, between(0.0, kLongestDelay), "MS",
                          "make every call of the max oracle so many milliseconds longer, to see "
                          "what a slow one would do"));
  return {{"data", data_rows()},
          {"task " + settings_.task, driver_->options()},
          {"objective", std::move(objective)},
          {"stopping", std::move(stopping)},
          {"solver", std::move(solver)}};
}

OptionTable TrainingCommand::data_rows() {
  Option format = option("format", settings_.format, detail::join_choices(driver_->formats()),
                         "form of the data; .gz is read as it is");
  format.fallback = "told from the file";
  Option train_folds = option("train-folds", settings_.train_folds, "FOLDS",
                              "train on these folds only, as in 1-9 or 1,3,5-7");
  train_folds.fallback = "all but the test folds";
  return {choice("task", settings_.task, task_names(), "what is to be learned"),
          option("data", settings_.data, "FILE", "training data; '-' is standard input"),
          std::move(format),
          std::move(train_folds),
          option("test", settings_.test, "FILE", "data to measure the result on"),
          option("test-folds", settings_.test_folds, "FOLDS",
                 "measure on these folds, of the data file if there is no --test")};
}

Option TrainingCommand::trace_clock_row() {
  return flag("trace-clock", settings_.trace_clock,
              "no: leave times and memory out, so that equal runs give equal traces");
}

Option TrainingCommand::trace_test_row() {
  return flag("trace-test", settings_.trace_test,
              "test at every measurement, too; the time for it is not counted");
}

Option TrainingCommand::test_every_row() {
  return option("test-every", settings_.test_every, at_least(1), "N",
                "test after every so many passes as well as at every measurement; the time for it "
                "is not counted");
}

Option TrainingCommand::quiet_row() {
  return flag("quiet", settings_.quiet, "no progress on standard error");
}

void TrainingCommand::check_inputs(const Outputs& outputs) const {
  outputs.check_input("data", settings_.data);
  outputs.check_input("test", settings_.test);
  outputs.check_input("order", settings_.order);
  outputs.check_input_files(driver_->options());
}

std::shared_ptr<const TrainingData> TrainingCommand::read(const Outputs& outputs) {
  const OpenedFiles opened;
  auto data = read_data(settings_);
  if (!settings_.order.empty()) {
    options_.order = read_order(settings_.order, data->problem().num_blocks());
  }
  outputs.check_read(opened);
  return data;
}

void TrainingCommand::settle(const std::set<std::string>& given) {
  for (const Option& row : driver_->options()) {
    if (given.contains(row.name)) settings_.task_options[row.name] = row.get();
  }
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
