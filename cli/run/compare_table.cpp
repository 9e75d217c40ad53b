#include "run/compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "run/figures.h"
#include "shell/text.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

constexpr const char* kNothing = "-";

constexpr double kNearlyAll = 0.99;

std::string marked_label(const Outcome& outcome) {
  return outcome.label + (lacks_certificate(outcome) ? " *" : "");
}

Cells effort(const std::string& label, const Progress* at) {
  if (at == nullptr) return {label, kNothing, kNothing, kNothing, kNothing};
  return {label, fmt::format("{:.1f}", at->effective_passes()), show_count(at->oracle_calls),
          show_count(at->cached_steps), fmt::format("{:.2f}", at->seconds)};
}

/// What every run had done at the moment that `find` picks.
template <class Find>
std::string effort_block(const std::string& title, const std::vector<Outcome>& outcomes,
                         Find find) {
  std::vector<Cells> rows{{title, "effective passes", "oracle calls", "cached steps", "seconds"}};
  for (const Outcome& outcome : outcomes)
    rows.push_back(effort(marked_label(outcome), find(outcome)));
  return "\n" + cli::columns(rows);
}

std::string gap_block(const std::vector<Outcome>& outcomes, double gap) {
  return effort_block(fmt::format("to a gap of {}", show_percent(gap)), outcomes,
                      [&](const Outcome& outcome) { return first_within(outcomes, outcome, gap); });
}

std::string end_block(const std::vector<Outcome>& outcomes) {
  return effort_block("to the end", outcomes, [](const Outcome& outcome) {
    return outcome.error ? nullptr : &outcome.figures.progress;
  });
}

std::string score_block(const std::vector<Outcome>& outcomes) {
  const TestColumns columns(outcomes);
  if (columns.main.empty() || !columns.has_way) return {};
  return effort_block(
      fmt::format("to {} of its own last test {}", show_percent(kNearlyAll), columns.main),
      outcomes,
      [&](const Outcome& outcome) { return columns.first_near_the_end(outcome, kNearlyAll); });
}

Cells result(const Outcome& outcome, double bound, const TestColumns& columns) {
  const Figures& figures = outcome.figures;
  const Progress& progress = figures.progress;
  const auto gap = relative_gap(progress, bound);
  Cells cells{marked_label(outcome),
              figures.status ? std::string(name_of(*figures.status)) : "failed",
              show(figures.lambda),
              progress.primal ? show(*progress.primal) : kNothing,
              outcome.error || !progress.has_dual() ? kNothing : show(progress.dual),
              gap ? show_percent(*gap) : kNothing};
  for (const std::string& name : columns.names()) {
    const auto value = value_of(figures.test, name);
    cells.push_back(value ? fmt::format("{:.4f}", *value) : kNothing);
  }
  return cells;
}

std::string result_block(const Comparison& comparison) {
  const std::vector<Outcome>& outcomes = comparison.outcomes;
  const TestColumns columns(outcomes);
  std::vector<Cells> rows{{"result", "status", "lambda", "primal", "dual", "gap"}};
  for (const std::string& name : columns.names()) {
    rows.front().push_back(rows.front().size() > 6 ? name : "test " + name);
  }
  for (const Outcome& outcome : outcomes) {
    rows.push_back(result(outcome, best_dual(outcomes, outcome), columns));
  }
  for (const std::string& label : comparison.skipped) {
    rows.emplace_back(rows.front().size(), kNothing);
    rows.back()[0] = label;
    rows.back()[1] = "not run";
  }
  return "\n" + cli::columns(rows);
}

std::string footnotes(const std::vector<Outcome>& outcomes) {
  std::string out;
  if (std::any_of(outcomes.begin(), outcomes.end(), lacks_certificate)) {
    out +=
        "\n* without a certificate of its own: its gaps are measured against the best dual value\n"
        "  that any of the runs with the same objective has found, and with a decoder that is not\n"
        "  exact they may be larger than shown.\n";
  }
  for (const Outcome& outcome : outcomes) {
    if (outcome.error) out += fmt::format("\n{} failed: {}\n", outcome.label, *outcome.error);
  }
  return out;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  std::string out;
  for (const Outcome& outcome : comparison.outcomes) {
    Json object{{"label", outcome.label}};
    object.update(Json::parse(to_json(outcome.figures)));
    if (outcome.error) {
      object["status"] = "failed";
      object["error"] = *outcome.error;
    }
    out += out.empty() ? "\n" : ",\n";
    out += object.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return "[" + out + "\n]";
}

std::string to_table(const Comparison& comparison) {
  const std::vector<Outcome>& outcomes = comparison.outcomes;
  std::string out;
  for (const std::string& note : comparison.notes) out += note + "\n";
  for (const double gap : comparison.gaps) out += gap_block(outcomes, gap);
  out += score_block(outcomes);
  return out + end_block(outcomes) + result_block(comparison) + footnotes(outcomes);
}

}  // namespace gapwise::internal::cli
