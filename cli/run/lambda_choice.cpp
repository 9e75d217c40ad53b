#include "run/lambda_choice.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/lines.h"
#include "run/signals.h"
#include "shell/text.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A name a line.
std::vector<std::string> read_groups(const std::string& path) {
  LineReader lines(path);
  std::vector<std::string> groups;
  for (std::string_view line; lines.next(line);) groups.emplace_back(line);
  return groups;
}

}  // namespace

OptionTable LambdaChoiceSettings::rows() {
  Option select = option("select", search.select, "METRIC", "the metric to choose lambda by");
  select.fallback = "the main one of the task";
  return {option("validate", validate, "FILE", "choose lambda by the score on these examples"),
          option("folds", search.folds, at_least(0), "K",
                 "choose lambda by cross-validation: K parts of the training examples, each scored "
                 "by what was learned from the others"),
          option("group-by", group_by, "FILE",
                 "a name on each line, for each training example: those of one name stay in one "
                 "part"),
          std::move(select),
          flag("one-standard-error", search.one_standard_error,
               "the largest lambda within a standard error of the best, with --folds")};
}

void LambdaChoiceSettings::read(std::string_view task, const std::string& format,
                                const TaskOptions& task_options) {
  if (!validate.empty()) search.path.test = open_examples(task, {validate, format}, task_options);
  if (!group_by.empty()) search.groups = read_groups(group_by);
}

void LambdaConsole::on_point(Index fold, const PathPoint& point) {
  ++points_;
  if (is_quiet_) return;
  std::string line = folds_ > 0 ? fmt::format("fold {:>2}  ", fold + 1) : std::string();
  line += fmt::format("lambda {:<11.5g} primal {:<9.6g} passes {:<4}", point.lambda, point.primal,
                      point.passes);
  if (point.test) {
    const Metric* const metric = settings_.select.empty()
                                     ? main_metric(*point.test)
                                     : find_metric(*point.test, settings_.select);
    if (metric != nullptr) line += fmt::format(" {} {:.4f}", metric->name, metric->value);
  }
  fmt::print(stderr, "{}{}\n", line, time_left());
}

/// By what the values of the grid took on the mean so far; one that ends early ends sooner.
std::string LambdaConsole::time_left() const {
  if (values_ == 0) return {};
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
  const Index all = values_ * std::max<Index>(1, folds_);
  const auto left = static_cast<double>(std::max<Index>(0, all - points_));
  return fmt::format("  {} {} left", settings_.is_quick ? "at most about" : "about",
                     show_duration(spent.count() / static_cast<double>(points_) * left));
}

void LambdaConsole::on_failure(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  if (!failure_) failure_ = what;
}

bool LambdaConsole::wants_stop() {
  return is_interrupted();
}

std::string to_table(const LambdaSearch& search) {
  const bool has_error = search.table.front().error.has_value();
  std::vector<std::vector<std::string>> rows{{"lambda", search.metric}};
  if (has_error) rows.front().push_back("+-");
  rows.front().push_back("");
  for (std::size_t k = 0; k < search.table.size(); ++k) {
    const LambdaScore& row = search.table[k];
    rows.push_back({fmt::format("{:.5g}", row.lambda), fmt::format("{:.4f}", row.mean)});
    if (has_error) rows.back().push_back(fmt::format("{:.4f}", *row.error));
    rows.back().push_back(k == search.chosen ? "<- chosen" : k == search.best ? "   best" : "");
  }
  return columns(rows);
}

std::string to_json(const LambdaSearch& search) {
  Json json{{"lambda", search.lambda()},
            {"metric", search.metric},
            {"status", name_of(search.reason)},
            {"seconds", search.seconds},
            {"table", Json::array()}};
  for (const LambdaScore& row : search.table) {
    json["table"].push_back({{"lambda", row.lambda},
                             {"mean", row.mean},
                             {"error", row.error ? Json(*row.error) : Json()},
                             {"scores", row.scores},
                             {"passes", row.passes},
                             {"oracle_calls", row.oracle_calls},
                             {"seconds", row.seconds}});
  }
  return json.dump();
}

}  // namespace gapwise::internal::cli
