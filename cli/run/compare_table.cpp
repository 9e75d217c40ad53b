#include "run/compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "shell/text.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

constexpr const char* kNothing = "-";

/// Metrics that are better the larger they are, the one to tell the way to first.
constexpr std::array<std::string_view, 7> kScores{
    "f1", "accuracy", "token_accuracy", "hamming_accuracy", "uas", "pixel_accuracy", "pdj"};
constexpr double kNearlyAll = 0.99;

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
  double best = -std::numeric_limits<double>::infinity();
  for (const Outcome& outcome : outcomes) {
    if (!has_same_objective(outcome, run)) continue;
    best = std::max(best, outcome.figures.progress.dual);
    for (const Progress& progress : outcome.measurements) best = std::max(best, progress.dual);
  }
  return best;
}

/// None if no run had a dual. By the certificate of the run itself if it has one.
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

std::optional<double> value_of(const std::optional<Metrics>& metrics, std::string_view name) {
  if (!metrics) return std::nullopt;
  for (const auto& [metric, value] : *metrics) {
    if (metric == name) return value;
  }
  return std::nullopt;
}

/// The metrics to tell of the test, which all runs share: the first one and the score.
struct TestColumns {
  std::string first;
  std::string_view score;
  bool has_way = false;  ///< some run was tested on the way

  explicit TestColumns(const std::vector<Outcome>& outcomes) {
    for (const Outcome& outcome : outcomes) {
      const auto& test = outcome.figures.test;
      if (!test || test->empty()) continue;
      first = test->front().first;
      const auto found = std::find_if(kScores.begin(), kScores.end(), [&](std::string_view name) {
        return value_of(test, name).has_value();
      });
      if (found != kScores.end()) score = *found;
      break;
    }
    for (const Outcome& outcome : outcomes) has_way |= !outcome.tests.empty();
  }
  /// The score has a column if the table also tells the way to it.
  std::vector<std::string> names() const {
    if (first.empty()) return {};
    if (!has_way || score.empty() || score == first) return {first};
    return {first, std::string(score)};
  }
};

std::string score_block(const std::vector<Outcome>& outcomes) {
  const TestColumns columns(outcomes);
  const std::string_view score = columns.score;
  if (score.empty() || !columns.has_way) return {};
  const auto first_near_the_end = [&](const Outcome& outcome) -> const Progress* {
    const auto last = value_of(outcome.figures.test, score);
    for (const Tested& tested : outcome.tests) {
      if (last && *value_of(tested.metrics, score) >= kNearlyAll * *last) return &tested.progress;
    }
    return nullptr;
  };
  return effort_block(fmt::format("to {} of its own last test {}", show_percent(kNearlyAll), score),
                      outcomes, first_near_the_end);
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
  out += score_block(outcomes);
  return out + end_block(outcomes) + result_block(comparison) + footnotes(outcomes);
}

}  // namespace gapwise::internal::cli
