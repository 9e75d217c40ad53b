#include "report/run.h"

#include <algorithm>
#include <limits>

namespace gapwise::internal {

std::optional<double> Moment::test_of(const std::string& metric) const {
  for (const auto& [name, value] : test) {
    if (name == metric) return value;
  }
  return std::nullopt;
}

bool Run::has_objective_of(const Run& other) const {
  const auto is_squared = [](const Run& run) { return run.objective == "l2"; };
  return lambda == other.lambda && n == other.n && dimension == other.dimension &&
         task == other.task && is_squared(*this) == is_squared(other);
}

PathCurve curve_of(const Path& path, const std::string& label) {
  PathCurve curve;
  curve.label = label;
  curve.is_grid = path.is_grid();
  curve.epsilon = path.epsilon();
  curve.points = path.points();
  for (const PathPoint& point : curve.points) {
    if (!point.test) continue;
    if (const Metric* const metric = main_metric(*point.test)) {
      curve.main_metric = metric->name;
      curve.is_lower_better = metric->better == Better::kLower;
    }
    break;
  }
  return curve;
}

double best_dual(std::span<const Run> runs, const Run& run) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Run& other : runs) {
    if (!other.has_objective_of(run)) continue;
    for (const Moment& moment : other.moments) {
      if (moment.dual) best = std::max(best, *moment.dual);
    }
  }
  return best;
}

std::optional<double> shown_gap(const Moment& moment, double best_dual) {
  if (moment.is_certified && moment.relative_gap) return moment.relative_gap;
  const double dual = std::max(best_dual, moment.dual.value_or(best_dual));
  if (!moment.primal || !(dual > -std::numeric_limits<double>::infinity())) return std::nullopt;
  return *moment.primal <= dual ? 0.0 : (*moment.primal - dual) / *moment.primal;
}

bool lacks_certificate(const Run& run) {
  return std::any_of(run.moments.begin(), run.moments.end(),
                     [](const Moment& moment) { return moment.primal && !moment.is_certified; });
}

std::vector<RunGroup> group_runs(std::span<const Run> runs) {
  std::vector<RunGroup> groups;
  for (const Run& run : runs) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const RunGroup& group) {
      return group.name == run.group && group.runs.front()->has_objective_of(run);
    });
    if (known == groups.end()) {
      groups.push_back({run.group, {&run}});
    } else {
      known->runs.push_back(&run);
    }
  }
  return groups;
}

}  // namespace gapwise::internal
