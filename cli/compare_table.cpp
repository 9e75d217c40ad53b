#include "compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "text.h"

namespace gapwise::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

constexpr const char* kNothing = "-";

/// Rows of equally many cells, the first one to the left, the others to the right.
std::string grid(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Cells& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string out;
  for (const Cells& row : rows) {
    out += fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t k = 1; k < row.size(); ++k) out += fmt::format("  {:>{}}", row[k], widths[k]);
    out += "\n";
  }
  return out;
}

bool has_same_objective(const Outcome& a, const Outcome& b) {
  return a.figures.lambda == b.figures.lambda && a.objective == b.objective;
}

/// The largest lower bound of the optimum that any run with the objective of `run` has found.
double best_dual(const std::vector<Outcome>& outcomes, const Outcome& run) {
  double best = 0.0;  // that of w = 0
  for (const Outcome& outcome : outcomes) {
    if (!has_same_objective(outcome, run)) continue;
    best = std::max(best, outcome.figures.progress.dual);
    for (const Progress& progress : outcome.measurements) best = std::max(best, progress.dual);
  }
  return best;
}

/// By the certificate of the run itself if it has one.
std::optional<double> relative_gap(Progress progress, double best_dual) {
  if (!progress.is_certified) progress.dual = std::max(progress.dual, best_dual);
  return progress.relative_gap();
}

bool lacks_certificate(const Outcome& outcome) {
  return std::any_of(outcome.measurements.begin(), outcome.measurements.end(),
                     [](const Progress& progress) { return !progress.is_certified; });
}

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
  return "\n" + grid(rows);
}

std::string gap_block(const std::vector<Outcome>& outcomes, double gap) {
  const auto first_within = [&](const Outcome& outcome) -> const Progress* {
    const double bound = best_dual(outcomes, outcome);
    const auto found = std::find_if(outcome.measurements.begin(), outcome.measurements.end(),
                                    [&](const Progress& progress) {
                                      const auto reached = relative_gap(progress, bound);
                                      return reached && *reached <= gap;
                                    });
    return found == outcome.measurements.end() ? nullptr : &*found;
  };
  return effort_block(fmt::format("to a gap of {}", show_percent(gap)), outcomes, first_within);
}

std::string end_block(const std::vector<Outcome>& outcomes) {
  return effort_block("to the end", outcomes, [](const Outcome& outcome) {
    return outcome.error ? nullptr : &outcome.figures.progress;
  });
}

/// The first metric of the test, which all runs share.
std::string metric_name(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes) {
    const auto& test = outcome.figures.test;
    if (test && !test->empty()) return "test " + test->front().first;
  }
  return "test";
}

Cells result(const Outcome& outcome, double bound) {
  const Figures& figures = outcome.figures;
  const Progress& progress = figures.progress;
  const auto gap = relative_gap(progress, bound);
  const bool is_tested = figures.test && !figures.test->empty();
  return {marked_label(outcome),
          figures.status ? std::string(name_of(*figures.status)) : "failed",
          show(figures.lambda),
          progress.primal ? show(*progress.primal) : kNothing,
          outcome.error || !progress.has_dual() ? kNothing : show(progress.dual),
          gap ? show_percent(*gap) : kNothing,
          is_tested ? fmt::format("{:.4f}", figures.test->front().second) : kNothing};
}

std::string result_block(const Comparison& comparison) {
  const std::vector<Outcome>& outcomes = comparison.outcomes;
  std::vector<Cells> rows{
      {"result", "status", "lambda", "primal", "dual", "gap", metric_name(outcomes)}};
  for (const Outcome& outcome : outcomes) {
    rows.push_back(result(outcome, best_dual(outcomes, outcome)));
  }
  for (const std::string& label : comparison.skipped) {
    rows.push_back({label, "not run", kNothing, kNothing, kNothing, kNothing, kNothing});
  }
  return "\n" + grid(rows);
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
  return out + end_block(outcomes) + result_block(comparison) + footnotes(outcomes);
}

}  // namespace gapwise::cli
