#include "gapwise/metrics.h"

#include <algorithm>

namespace gapwise {

const Metric* find_metric(const Metrics& metrics, std::string_view name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

const Metric* main_metric(const Metrics& metrics) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [](const Metric& metric) { return metric.is_main; });
  return found == metrics.end() ? nullptr : &*found;
}

}  // namespace gapwise
