#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/band.h"
#include "report/html.h"
#include "report/sections.h"

namespace gapwise::internal {
namespace {

using Value = std::function<std::optional<double>(const Moment&)>;

/// The last moment that tells something of this kind.
const Moment* last_with(const Run& run, const Value& value) {
  for (auto moment = run.moments.rbegin(); moment != run.moments.rend(); ++moment) {
    if (value(*moment)) return &*moment;
  }
  return nullptr;
}

std::string main_metric_of(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (!run.main_metric.empty()) return run.main_metric;
  }
  return {};
}

std::string name_of(const Run& run) {
  return escaped(run.label) + (lacks_certificate(run) ? " *" : "");
}

std::string words_on(const Run& run, double bound) {
  const Moment* const last = last_with(run, [](const Moment& moment) { return moment.primal; });
  if (last == nullptr) return "nothing has been measured yet";
  if (last->is_certified && last->relative_gap) {
    return fmt::format(
        "the objective {} is <strong>certified</strong> to be at most <strong>{}"
        "</strong> above its optimum",
        show_number(*last->primal), show_share(*last->relative_gap));
  }
  if (const auto gap = shown_gap(*last, bound)) {
    return fmt::format(
        "the objective {} is {} above the best lower bound that is known, without a "
        "certificate of its own",
        show_number(*last->primal), show_share(*gap));
  }
  return fmt::format("the objective is {}; there is no certificate", show_number(*last->primal));
}

std::string verdict(const ReportInput& input) {
  const std::vector<Run>& runs = input.set.runs;
  if (runs.size() != 1) return {};
  const Run& run = runs.front();
  const std::string status = run.status             ? escaped(*run.status)
                             : input.reload_seconds ? "still running"
                                                    : "no end in the trace";
  return fmt::format("<p class=\"verdict\">{} ({}): {}.</p>\n", escaped(run.solver), status,
                     words_on(run, best_dual(runs, run)));
}

std::string run_table(const ReportInput& input) {
  const std::vector<Run>& runs = input.set.runs;
  const std::string metric = main_metric_of(runs);
  std::vector<Column> columns{{"run", {}, true},
                              {"solver", {}, true},
                              {"status", {}, true},
                              {"lambda", {}},
                              {"effective passes"},
                              {"oracle calls"},
                              {"seconds"},
                              {"primal"},
                              {"dual"},
                              {"gap, % of the primal"}};
  if (!metric.empty()) columns.push_back({"test " + escaped(metric)});
  columns.push_back({"memory"});
  Table table("Where each run ended", columns);
  for (const Run& run : runs) {
    const Moment& end = run.moments.back();
    const Moment* const measured =
        last_with(run, [](const Moment& moment) { return moment.primal; });
    const Moment& at = measured == nullptr ? end : *measured;
    const auto gap = shown_gap(at, best_dual(runs, run));
    std::vector<Cell> row{{name_of(run), {}, false},
                          {escaped(run.solver), {}, false},
                          {escaped(run.status.value_or("")), {}, false},
                          {show_short(run.lambda), {}, false},
                          {show_short(end.effective_passes), {}, false},
                          {show_whole(end.oracle_calls), {}, false},
                          {end.seconds ? show_short(*end.seconds) : "", {}, false},
                          {show_number(at.primal), {}, false},
                          {show_number(at.dual), {}, false},
                          {gap ? show_number(100.0 * *gap) : "", {}, false}};
    if (!metric.empty()) row.push_back({show_number(end.test_of(metric)), {}, false});
    row.push_back({run.peak_rss_bytes ? show_bytes(static_cast<double>(*run.peak_rss_bytes)) : "",
                   {},
                   false});
    table.add(std::move(row));
  }
  return table.html();
}

std::string footnote(const std::vector<Run>& runs) {
  if (std::none_of(runs.begin(), runs.end(), lacks_certificate)) return {};
  return "<p class=\"note\">* without a certificate of its own: its gaps are measured against the "
         "best dual value that any of the runs with the same objective has found, and may be "
         "larger than shown.</p>\n";
}

/// What a run, or the runs of a group, had done when `value` first was at most `bound`.
struct Effort {
  std::vector<double> passes;
  std::vector<double> calls;
  std::vector<double> seconds;
};

std::string spread_words(const std::vector<double>& values, std::size_t runs) {
  if (values.empty()) return "-";
  const Spread spread = spread_of(values);
  std::string words = show_short(spread.middle);
  if (values.size() > 1 && spread.low < spread.high) {
    words += fmt::format(" ({} to {})", show_short(spread.low), show_short(spread.high));
  }
  if (values.size() < runs) words += fmt::format(", {} of {} runs", values.size(), runs);
  return words;
}

Effort effort_to(const std::vector<Run>& runs, const RunGroup& group, double bound) {
  Effort effort;
  for (const Run* const run : group.runs) {
    const double dual = best_dual(runs, *run);
    for (const Moment& moment : run->moments) {
      const auto gap = shown_gap(moment, dual);
      if (!gap || *gap > bound) continue;
      effort.passes.push_back(moment.effective_passes);
      effort.calls.push_back(moment.oracle_calls);
      if (moment.seconds) effort.seconds.push_back(*moment.seconds);
      break;
    }
  }
  return effort;
}

/// At most so many rows for all measurements together, so that a page can be mailed.
constexpr std::size_t kMostRows = 4000;
constexpr std::size_t kFewestRows = 20;

std::vector<const Moment*> thinned(const Run& run, std::size_t most) {
  std::vector<const Moment*> kept;
  const std::size_t count = run.moments.size();
  const std::size_t rows = std::min(count, most);
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t at = rows == 1 ? count - 1 : k * (count - 1) / (rows - 1);
    kept.push_back(&run.moments[at]);
  }
  return kept;
}

std::vector<std::string> metrics_of(const Run& run) {
  for (const Moment& moment : run.moments) {
    if (moment.test.empty()) continue;
    std::vector<std::string> names;
    for (const auto& [name, value] : moment.test) names.push_back(name);
    return names;
  }
  return {};
}

std::string moment_table(const Run& run, std::size_t group, double bound,
                         const std::vector<const Moment*>& moments) {
  const std::vector<std::string> metrics = metrics_of(run);
  std::vector<Column> columns{{"pass"},
                              {"effective passes", "passes"},
                              {"oracle calls", "calls"},
                              {"seconds", "seconds"},
                              {"primal", "primal"},
                              {"dual", "dual"},
                              {"gap, % of the primal", "gap"}};
  for (const std::string& metric : metrics) {
    columns.push_back({"test " + escaped(metric), "test:" + escaped(metric)});
  }
  Table table(fmt::format("Measurements of {}", name_of(run)), columns);
  table.mark(fmt::format("data-run=\"{}\" data-group=\"{}\"", escaped(run.label), group));
  for (const Moment* const moment : moments) {
    const auto gap = shown_gap(*moment, bound);
    std::vector<Cell> row{{fmt::format("{}", moment->pass), {}, false},
                          {show_number(moment->effective_passes), {}, false},
                          {fmt::format("{:.0f}", moment->oracle_calls), {}, false},
                          {show_number(moment->seconds), {}, false},
                          {show_number(moment->primal), {}, false},
                          {show_number(moment->dual), {}, false},
                          {gap ? show_number(100.0 * *gap) : "", {}, false}};
    for (const std::string& metric : metrics) {
      row.push_back({show_number(moment->test_of(metric)), {}, false});
    }
    table.add(std::move(row));
  }
  return table.html();
}

}  // namespace

std::string overview_section(const ReportInput& input) {
  const std::vector<Run>& runs = input.set.runs;
  if (runs.empty()) return {};
  const Run& first = runs.front();
  const std::string facts = fmt::format(
      "<p>Task {}, {} examples, {} weights.</p>\n", escaped(first.task),
      show_whole(static_cast<double>(first.n)), show_whole(static_cast<double>(first.dimension)));
  return section("runs", runs.size() == 1 ? "The run" : "The runs",
                 verdict(input) + facts + run_table(input) + footnote(runs));
}

std::string time_to_gap_section(const ReportInput& input) {
  const std::vector<Run>& runs = input.set.runs;
  const std::vector<RunGroup> groups = group_runs(runs);
  std::string tables;
  for (const double gap : input.gaps) {
    Table table(fmt::format("To a gap of {} of the primal", show_share(gap)),
                {{"run", {}, true}, {"effective passes"}, {"oracle calls"}, {"seconds"}});
    bool is_reached = false;
    for (const RunGroup& group : groups) {
      const Effort effort = effort_to(runs, group, gap);
      is_reached = is_reached || !effort.passes.empty();
      const std::size_t count = group.runs.size();
      const bool is_marked = lacks_certificate(*group.runs.front());
      table.add({{escaped(group.name) + (is_marked ? " *" : ""), {}, false},
                 {spread_words(effort.passes, count), {}, false},
                 {spread_words(effort.calls, count), {}, false},
                 {spread_words(effort.seconds, count), {}, false}});
    }
    if (is_reached) tables += table.html();
  }
  if (tables.empty()) return {};
  return section("time-to-gap", "What it took",
                 "<p class=\"note\">At the first measurement within the gap; of several seeds the "
                 "median, with the lowest and the highest.</p>\n" +
                     tables);
}

std::string decisions_section(const ReportInput& input) {
  std::string tables;
  for (const Run& run : input.set.runs) {
    Table table(fmt::format("What {} said", name_of(run)),
                {{"pass"}, {"effective passes"}, {"decision", {}, true}});
    std::string before;
    std::size_t rows = 0;
    for (const Moment& moment : run.moments) {
      if (moment.decision.empty() || moment.decision == before || rows >= 60) continue;
      before = moment.decision;
      ++rows;
      table.add({{fmt::format("{}", moment.pass), {}, false},
                 {show_number(moment.effective_passes), {}, false},
                 {escaped(moment.decision), {}, false}});
    }
    if (rows > 0)
      tables += folded(fmt::format("{}: {} decisions", name_of(run), rows), table.html(),
                       input.set.runs.size() == 1);
  }
  if (tables.empty()) return {};
  return section("decisions", "What the solvers decided", tables);
}

std::string measurements_section(const ReportInput& input) {
  const std::vector<Run>& runs = input.set.runs;
  if (runs.empty()) return {};
  const std::vector<RunGroup> groups = group_runs(runs);
  const std::size_t most = std::max(kFewestRows, kMostRows / runs.size());
  std::string tables;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Run* const run : groups[g].runs) {
      const auto moments = thinned(*run, most);
      const std::string count =
          moments.size() == run->moments.size()
              ? fmt::format("{} measurements", moments.size())
              : fmt::format("{} of {} measurements; 'gapwise export' has them all", moments.size(),
                            run->moments.size());
      tables += folded(fmt::format("{}: {}", name_of(*run), count),
                       moment_table(*run, g, best_dual(runs, *run), moments));
    }
  }
  constexpr std::size_t kMany = 8;
  if (runs.size() > kMany) tables = folded(fmt::format("{} runs", runs.size()), tables);
  return section("measurements", "Measurements", tables);
}

std::string settings_section(const ReportInput& input) {
  std::string tables;
  const auto add = [&](const std::string& title, const auto& rows) {
    Table table(escaped(title), {{"setting", {}, true}, {"value", {}, true}});
    bool has_rows = false;
    for (const auto& [name, value] : rows) {
      if (value.empty()) continue;
      table.add_text({name, value});
      has_rows = true;
    }
    if (has_rows) tables += folded(escaped(title), table.html());
  };
  for (const SettingsTable& settings : input.settings) add(settings.title, settings.rows);
  if (input.model) add("Model", input.model->settings);
  if (tables.empty()) return {};
  return section("settings", "Settings and provenance", tables);
}

}  // namespace gapwise::internal
