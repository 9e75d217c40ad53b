#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/report.h"

namespace gapwise::internal {
namespace {

/// As RFC 4180 has it: in quotes if it holds a comma, a quote or a line end.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

template <class Each>
std::vector<std::string> metric_names(const Each& each) {
  std::vector<std::string> names;
  each([&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  });
  return names;
}

}  // namespace

std::string to_csv(const std::vector<Run>& runs) {
  const auto metrics = metric_names([&](const auto& see) {
    for (const Run& run : runs) {
      for (const Moment& moment : run.moments) {
        for (const auto& [name, value] : moment.test) see(name);
      }
    }
  });
  std::string out =
      "run,group,task,solver,objective,lambda,n,dimension,passes,effective_passes,oracle_calls,"
      "seconds,primal,dual,gap,relative_gap,certified,status";
  for (const std::string& metric : metrics) out += "," + field("test_" + metric);
  out += "\n";
  for (const Run& run : runs) {
    const std::string common =
        fmt::format("{},{},{},{},{},{},{},{}", field(run.label), field(run.group), field(run.task),
                    field(run.solver), run.objective, run.lambda, run.n, run.dimension);
    for (const Moment& moment : run.moments) {
      const bool is_last = &moment == &run.moments.back();
      out += fmt::format("{},{},{},{:.0f},{},{},{},{},{},{},{}", common, moment.pass,
                         moment.effective_passes, moment.oracle_calls, number(moment.seconds),
                         number(moment.primal), number(moment.dual), number(moment.gap),
                         number(moment.relative_gap), moment.is_certified ? 1 : 0,
                         is_last ? run.status.value_or("") : "");
      for (const std::string& metric : metrics) out += "," + number(moment.test_of(metric));
      out += "\n";
    }
  }
  return out;
}

std::string to_csv(const std::vector<PathCurve>& paths) {
  const auto metrics = metric_names([&](const auto& see) {
    for (const PathCurve& curve : paths) {
      for (const PathPoint& point : curve.points) {
        if (!point.test) continue;
        for (const Metric& metric : *point.test) see(metric.name);
      }
    }
  });
  std::string out =
      "path,lambda,primal,dual,gap,certified,passes,oracle_calls,cached_steps,seconds";
  for (const std::string& metric : metrics) out += "," + field("test_" + metric);
  out += "\n";
  for (const PathCurve& curve : paths) {
    for (const PathPoint& point : curve.points) {
      const bool has_dual = std::isfinite(point.dual);
      out += fmt::format("{},{},{},{},{},{},{},{},{},{}", field(curve.label), point.lambda,
                         point.primal, has_dual ? fmt::format("{}", point.dual) : "",
                         has_dual ? fmt::format("{}", point.gap()) : "", point.is_certified ? 1 : 0,
                         point.passes, point.oracle_calls, point.cached_steps, point.seconds);
      for (const std::string& metric : metrics) {
        const Metric* const found = point.test ? find_metric(*point.test, metric) : nullptr;
        out += "," + (found == nullptr ? std::string() : fmt::format("{}", found->value));
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace gapwise::internal
