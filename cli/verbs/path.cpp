#include "gapwise/path.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "run/figures.h"
#include "run/lambda_choice.h"
#include "run/outputs.h"
#include "run/signals.h"
#include "shell/exit_codes.h"
#include "shell/text.h"
#include "verbs/training_command.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A line on standard error for every break point.
class PathConsole final : public PathObserver {
 public:
  explicit PathConsole(bool is_quiet) : is_quiet_(is_quiet) {}

  void on_point(const PathPoint& point) override {
    ++points_;
    if (is_quiet_) return;
    std::string line =
        fmt::format("point {:>3}  lambda {:<11.5g} primal {:<9.6g} gap {:<9.3g} passes {:<4}",
                    points_, point.lambda, point.primal, point.gap(), point.passes);
    if (point.test) {
      for (const Metric& metric : *point.test) {
        if (metric.is_main) line += fmt::format(" {} {:.4f}", metric.name, metric.value);
      }
    }
    fmt::print(stderr, "{}\n", line);
  }
  void on_failure(const std::string& what) override {
    fmt::print(stderr, "{}\n", what);
    if (!failure_) failure_ = what;
  }
  bool wants_stop() override { return is_interrupted(); }

  /// The first failure to write a file.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  bool is_quiet_;
  int points_ = 0;
  std::optional<std::string> failure_;
};

Json object_of(const PathPoint& point) {
  Json json{{"lambda", point.lambda},
            {"primal", point.primal},
            {"dual", std::isfinite(point.dual) ? Json(point.dual) : Json()},
            {"gap", std::isfinite(point.dual) ? Json(point.gap()) : Json()},
            {"certified", point.is_certified},
            {"passes", point.passes},
            {"oracle_calls", point.oracle_calls},
            {"cached_steps", point.cached_steps},
            {"seconds", point.seconds},
            {"test", nullptr}};
  if (point.test) {
    json["test"] = Json::object();
    for (const Metric& metric : *point.test) json["test"][metric.name] = metric.value;
  }
  return json;
}

class PathCommand : public TrainingCommand {
 public:
  std::vector<OptionGroup> options() override {
    std::vector<OptionGroup> groups = training_groups_without("lambda");
    std::erase_if(groups, [](const OptionGroup& group) { return group.rows.empty(); });
    groups.push_back({"path", path_rows()});
    groups.push_back({"choice of lambda", choice_.rows()});
    groups.push_back(
        {"output",
         {option("path", path_.file, "FILE",
                 "the file of the path; if it is there, the path goes on from it"),
          flag("path-clock", path_.has_clock,
               "no: leave times out, so that equal runs give equal files"),
          option("checkpoint-seconds", path_.checkpoint_seconds, at_least(0.0), "S",
                 "time between two states of the run, in FILE.state; 0: after every pass"),
          report_row(),
          flag("json", settings_.json, "the break points as one JSON object on standard output"),
          quiet_row()}});
    return groups;
  }
  std::vector<std::string_view> required() const override { return {"data", "path"}; }

  void run(const std::set<std::string>& given) override {
    settle(given);
    if (given.contains("epsilon") && given.contains("relative-epsilon")) {
      throw OptionError("--epsilon and --relative-epsilon say the same: give one of them");
    }
    check_grid(given);
    const Outputs outputs = check_files();
    const auto data = read(outputs);
    choice_.read(settings_.task, settings_.format, settings_.task_options);
    path_.test = choice_.search.path.test;
    if (!path_.test && data->has_test()) path_.test = test_examples(settings_);
    path_.oracle_delay = settings_.oracle_delay;
    path_.stop = &stop_flag();
    PathConsole console(settings_.quiet);
    catch_signals();
    const Path path = fit_path(data->examples(), options_, path_, console);
    std::optional<LambdaSearch> search;
    if (path.reason() != StopReason::kInterrupted) search = choose(*data, path);
    std::optional<Metrics> test;
    if (search && !search->table.empty() && data->has_test()) {
      test = path.model(search->lambda()).evaluate(*test_examples(settings_), options_.threads);
    }
    if (!settings_.report.empty()) {
      ReportWriter report(settings_.report, {}, report_base("Path of " + data_name()));
      report.input().notes = {data->examples().describe()};
      report.input().set.paths = {curve_of(path, options_.solver)};
      report.input().search = search;
      report.write();
    }
    if (settings_.json) {
      fmt::print("{}", json_of(path, search, test));
    } else {
      fmt::print("{}", table_of(path));
      if (search && !search->table.empty()) fmt::print("\n{}", to_table(*search));
      if (test) fmt::print("\n{}", aligned(test_rows(*test)));
    }
    if (console.failure()) throw InputError(*console.failure());
    const bool is_cut_short = search && search->reason == StopReason::kInterrupted;
    if (path.reason() == StopReason::kInterrupted || is_cut_short) {
      throw EndedEarly(kInterrupted,
                       "ended by a signal, everything is saved; give the same options to go on");
    }
  }

 private:
  /// Options that are for a path only, or for a grid only.
  void check_grid(const std::set<std::string>& given) {
    const bool is_grid = given.contains("grid");
    if (is_grid) path_.grid = parse_grid(grid_);
    const auto refuse = [&](const char* name, const char* what) {
      if (given.contains(name)) throw OptionError(fmt::format("--{} is for {}", name, what));
    };
    if (is_grid) {
      for (const char* name : {"epsilon", "relative-epsilon", "kappa", "lambda-min"}) {
        refuse(name, "a path; a --grid has its values, and --relative-gap for each");
      }
      return;
    }
    for (const char* name : {"gap", "relative-gap", "average"}) {
      refuse(name, "a --grid; the break points of a path are solved to --kappa times --epsilon");
    }
    refuse("warm", "a --grid");
  }

  Outputs check_files() const {
    Outputs outputs;
    outputs.add("report", settings_.report);
    std::vector<std::string> files{path_.file};
    for (Index k = 1; k <= choice_.search.folds; ++k) {
      files.push_back(fmt::format("{}.fold{}", path_.file, k));
    }
    for (const std::string& file : files) {
      outputs.add("path", file);
      outputs.add("path", file + ".state");
      check_regular("path", file);
    }
    check_inputs(outputs);
    outputs.check_input("validate", choice_.validate);
    outputs.check_input("group-by", choice_.group_by);
    if (choice_.search.folds > 0) check_read_again(settings_.data);
    return outputs;
  }

  /// The scores over lambda, if that was asked for: of the path itself on the file to validate on,
  /// or of paths on the folds.
  std::optional<LambdaSearch> choose(const TrainingData& data, const Path& path) {
    LambdaSearchSettings& search = choice_.search;
    if (!choice_.validate.empty()) return choose_lambda(std::span(&path, 1), search);
    if (search.folds == 0) return std::nullopt;
    search.path = path_;
    search.path.test.reset();
    LambdaConsole console(search, settings_.quiet);
    return search_lambda(data.examples(), options_, search, console);
  }

  static std::vector<std::pair<std::string, std::string>> test_rows(const Metrics& metrics) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Metric& metric : metrics) {
      rows.emplace_back("test " + metric.name, fmt::format("{:.4f}", metric.value));
    }
    return rows;
  }

  OptionTable path_rows() {
    Option epsilon = option("epsilon", path_.epsilon, at_least(0.0), "E",
                            "at every lambda the objective is at most this above its optimum");
    return {std::move(epsilon),
            option("relative-epsilon", path_.relative_epsilon, at_least(0.0), "E",
                   "the same relative to the objective at w = 0, if no --epsilon is given"),
            option("kappa", path_.kappa, between(0.0, 1.0), "K",
                   "solve every break point to a gap of K times epsilon"),
            option("lambda-min", path_.lambda_min, at_least(0.0), "X",
                   "end the path here, if it does not end before"),
            option("grid", grid_, "FROM:TO[:FACTOR]",
                   "only these values in the place of the path, for any solver: 2^15:2^-15, "
                   "1:1e-6:10 or 1,0.1,0.01"),
            flag("warm", path_.starts_warm,
                 "start each value of a grid where the one before ended, if the solver can")};
  }

  static std::string json_of(const Path& path, const std::optional<LambdaSearch>& search,
                             const std::optional<Metrics>& test) {
    Json json{{"epsilon", path.epsilon()},
              {"lambda_end", path.lambda_end()},
              {"status", name_of(path.reason())},
              {"points", Json::array()}};
    for (const PathPoint& point : path.points()) json["points"].push_back(object_of(point));
    if (search && !search->table.empty()) json["search"] = Json::parse(to_json(*search));
    if (test) json["test"] = Json::parse(to_json(*test));
    return json.dump() + "\n";
  }

  std::string table_of(const Path& path) const {
    Index passes = 0;
    Index calls = 0;
    double seconds = 0.0;
    bool is_certified = true;
    for (const PathPoint& point : path.points()) {
      passes += point.passes;
      calls += point.oracle_calls;
      seconds += point.seconds;
      is_certified = is_certified && point.is_certified;
    }
    const double end = path.lambda_end();
    return aligned(
        {{"status", std::string(name_of(path.reason()))},
         {"break points", fmt::format("{}, from lambda {:.5g} down to {:.5g}", path.points().size(),
                                      path.points().front().lambda, path.points().back().lambda)},
         {"guarantee", path.is_grid()
                           ? "only at the points themselves"
                           : fmt::format("{}within {:.4g} of the optimum for every lambda{}",
                                         is_certified ? "" : "not certified: ", path.epsilon(),
                                         end > 0.0 ? fmt::format(" from {:.5g} on", end) : "")},
         {"passes", fmt::format("{}", passes)},
         {"oracle calls", show_count(calls)},
         {"seconds", fmt::format("{:.2f}", seconds)},
         {"path", path_.file}});
  }

  PathSettings path_;
  LambdaChoiceSettings choice_;
  std::string grid_;
};

}  // namespace

const MakeCommand make_path = make_command<PathCommand>;

}  // namespace gapwise::internal::cli
