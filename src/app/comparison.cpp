#include "app/comparison.h"

#include <algorithm>
#include <limits>

namespace gapwise::internal {
namespace {

bool has_same_objective(const Outcome& a, const Outcome& b) {
  return a.figures.lambda == b.figures.lambda && a.objective == b.objective;
}

}  // namespace

bool lacks_certificate(const Outcome& outcome) {
  return std::any_of(outcome.measurements.begin(), outcome.measurements.end(),
                     [](const Progress& progress) { return !progress.is_certified; });
}

double best_dual(const std::vector<Outcome>& outcomes, const Outcome& run) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Outcome& outcome : outcomes) {
    if (!has_same_objective(outcome, run)) continue;
    best = std::max(best, outcome.figures.progress.dual);
    for (const Progress& progress : outcome.measurements) best = std::max(best, progress.dual);
  }
  return best;
}

std::optional<double> relative_gap(Progress progress, double best_dual) {
  if (!progress.is_certified) progress.dual = std::max(progress.dual, best_dual);
  return progress.relative_gap();
}

const Progress* first_within(const std::vector<Outcome>& outcomes, const Outcome& run, double gap) {
  const double bound = best_dual(outcomes, run);
  for (const Progress& progress : run.measurements) {
    const auto reached = relative_gap(progress, bound);
    if (reached && *reached <= gap) return &progress;
  }
  return nullptr;
}

std::optional<double> value_of(const std::optional<Metrics>& metrics, std::string_view name) {
  const Metric* const found = metrics ? find_metric(*metrics, name) : nullptr;
  if (found == nullptr) return std::nullopt;
  return found->value;
}

TestColumns::TestColumns(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes) {
    const auto& test = outcome.figures.test;
    if (!test || test->empty()) continue;
    first = test->front().name;
    if (const Metric* const metric = main_metric(*test)) {
      main = metric->name;
      better = metric->better;
    }
    break;
  }
  for (const Outcome& outcome : outcomes) has_way |= !outcome.tests.empty();
}

std::vector<std::string> TestColumns::names() const {
  if (first.empty()) return {};
  if (main.empty() || main == first) return {first};
  return {main, first};
}

const Progress* TestColumns::first_near_the_end(const Outcome& outcome, double share) const {
  const auto last = value_of(outcome.figures.test, main);
  if (!last) return nullptr;
  for (const Tested& tested : outcome.tests) {
    const auto now = value_of(tested.metrics, main);
    if (!now) continue;
    if (better == Better::kHigher ? *now >= share * *last : share * *now <= *last) {
      return &tested.progress;
    }
  }
  return nullptr;
}

}  // namespace gapwise::internal
