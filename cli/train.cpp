#include "train.h"

#include <fmt/format.h>

#include <array>

#include "arguments.h"
#include "command.h"
#include "gapwise/solve/train.h"

namespace gapwise::cli {
namespace {

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

class Train : public Command {
 public:
  void prepare(const Arguments& args) override {
    if (const std::string task = peek_argument(args, "task"); !task.empty()) {
      driver_ = make_task_driver(task);
      settings_.task = task;
    }
  }

  std::vector<OptionGroup> options() override {
    OptionTable solver = option_table(options_);
    OptionTable objective = take(solver, {"lambda"});
    OptionTable stopping =
        take(solver, {"gap", "relative-gap", "max-passes", "max-seconds", "max-oracle-calls"});
    solver.push_back(option("order", settings_.order, "FILE",
                            "visit the examples in this order (numbers from 1) in every pass; "
                            "means --sampling cyclic"));
    return {{"data", data_rows()},
            {"task " + settings_.task, driver_->options()},
            {"objective", std::move(objective)},
            {"stopping", std::move(stopping)},
            {"solver", std::move(solver)},
            {"output", output_rows()}};
  }

  std::vector<std::string_view> required() const override { return {"data"}; }

  void run(const std::set<std::string>& given) override {
    check_partners(given);
    if (given.contains("order")) use_order(given);
    const Trained trained = run_training(*driver_, settings_, options_);
    if (settings_.json) {
      fmt::print("{}\n", to_json(trained.figures));
    } else {
      fmt::print("{}", to_table(trained.figures,
                                {settings_.model, settings_.trace, settings_.checkpoint}));
    }
    if (trained.failure) throw InputError(*trained.failure);
  }

 private:
  OptionTable data_rows() {
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

  OptionTable output_rows() {
    return {option("model", settings_.model, "FILE", "where to write the model"),
            option("trace", settings_.trace, "FILE", "every measurement as a JSON line"),
            choice("trace-clock", settings_.trace_clock,
                   "no: leave times and memory out, so that equal runs give equal traces"),
            flag("trace-test", settings_.trace_test,
                 "test at every measurement, too; the time for it is not counted"),
            option("checkpoint", settings_.checkpoint, "FILE", "save the state of the run here"),
            option("checkpoint-seconds", settings_.checkpoint_seconds, at_least(0.0), "S",
                   "time between two checkpoints; 0: after every pass"),
            option("resume", settings_.resume, "FILE", "go on from this checkpoint, bit for bit"),
            flag("json", settings_.json, "the summary as one JSON object on standard output"),
            flag("quiet", settings_.quiet, "no progress on standard error")};
  }

  /// Options that mean nothing without another one.
  static void check_partners(const std::set<std::string>& given) {
    constexpr std::array<std::pair<const char*, const char*>, 3> kPartners{
        {{"trace-clock", "trace"}, {"trace-test", "trace"}, {"checkpoint-seconds", "checkpoint"}}};
    for (const auto& [name, partner] : kPartners) {
      if (given.contains(name) && !given.contains(partner)) {
        throw OptionError(fmt::format("--{} needs --{} FILE", name, partner));
      }
    }
    if (given.contains("trace-test") && !given.contains("test") && !given.contains("test-folds")) {
      throw OptionError("--trace-test needs test data: give --test FILE or --test-folds FOLDS");
    }
  }

  void use_order(const std::set<std::string>& given) {
    if (given.contains("sampling") && options_.sampling != Sampling::kCyclic) {
      throw OptionError(fmt::format("--order means --sampling cyclic, found --sampling {}",
                                    name_of(options_.sampling)));
    }
    options_.sampling = Sampling::kCyclic;
  }

  TrainSettings settings_;
  TrainOptions options_;
  std::unique_ptr<TaskDriver> driver_ = make_task_driver(settings_.task);
};

}  // namespace

std::unique_ptr<Command> make_train() {
  return std::make_unique<Train>();
}

}  // namespace gapwise::cli
