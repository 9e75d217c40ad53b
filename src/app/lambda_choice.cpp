#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/sums.h"
#include "gapwise/errors.h"
#include "gapwise/lambda_search.h"

namespace gapwise {
namespace {

/// The metric of a point that is looked at.
const Metric& metric_of(const PathPoint& point, const std::string& select) {
  if (!point.test) throw OptionError("a path without test examples has no scores to choose by");
  const Metric* const metric =
      select.empty() ? main_metric(*point.test) : find_metric(*point.test, select);
  if (metric != nullptr) return *metric;
  std::vector<std::string> names;
  for (const Metric& known : *point.test) names.push_back(known.name);
  throw OptionError(fmt::format("\1select: there is no metric '{}'; there are {}", select,
                                fmt::join(names, ", ")));
}

LambdaScore make_row(double lambda, std::span<const Path> folds, const std::string& select) {
  LambdaScore row;
  row.lambda = lambda;
  for (const Path& path : folds) {
    const PathPoint& point = path.points()[path.at(lambda).point];
    row.scores.push_back(metric_of(point, select).value);
    row.passes += point.passes;
    row.oracle_calls += point.oracle_calls;
    row.seconds += point.seconds;
  }
  const auto count = static_cast<double>(row.scores.size());
  row.mean = internal::ordered_sum(row.scores) / count;
  if (row.scores.size() > 1) {
    double squares = 0.0;
    for (const double score : row.scores) squares += (score - row.mean) * (score - row.mean);
    row.error = std::sqrt(squares / (count - 1.0) / count);
  }
  return row;
}

/// A row for every lambda of the first fold at which all folds have weights.
LambdaSearch make_table(std::span<const Path> folds, const std::string& select) {
  LambdaSearch search;
  double end = 0.0;
  for (const Path& path : folds) {
    if (path.reason() != StopReason::kConverged) search.reason = path.reason();
    end = std::max(end, path.lambda_end());
    for (const PathPoint& point : path.points()) search.seconds += point.seconds;
  }
  for (const PathPoint& point : folds.front().points()) {
    if (point.lambda < end) break;
    const Metric& metric = metric_of(point, select);
    search.metric = metric.name;
    search.better = metric.better;
    search.table.push_back(make_row(point.lambda, folds, select));
  }
  return search;
}

}  // namespace

LambdaSearch choose_lambda(std::span<const Path> folds, const LambdaSearchSettings& settings) {
  LambdaSearch search = make_table(folds, settings.select);
  if (search.table.empty() && search.reason == StopReason::kInterrupted) return search;
  if (search.table.empty()) {
    throw InputError("the search ended before any lambda was tried; give it more time");
  }
  for (std::size_t k = 1; k < search.table.size(); ++k) {
    const double gain = search.table[k].mean - search.table[search.best].mean;
    if (search.better == Better::kHigher ? gain > 0.0 : gain < 0.0) search.best = k;
  }
  search.chosen = search.best;
  if (!settings.one_standard_error) return search;
  const LambdaScore& best = search.table[search.best];
  const auto is_near = [&](const LambdaScore& row) {
    return std::abs(row.mean - best.mean) <= best.error.value_or(0.0);
  };
  search.chosen = static_cast<std::size_t>(
      std::find_if(search.table.begin(), search.table.end(), is_near) - search.table.begin());
  return search;
}

}  // namespace gapwise
