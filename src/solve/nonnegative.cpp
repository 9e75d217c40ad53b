#include "solve/nonnegative.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

const WeightGroup& find_group(const std::vector<WeightGroup>& groups, std::string_view name) {
  for (const WeightGroup& group : groups) {
    if (group.name == name) return group;
  }
  std::vector<std::string_view> names;
  for (const WeightGroup& group : groups) names.push_back(group.name);
  throw OptionError(fmt::format(
      "\1nonnegative: this model has no group of weights '{}'; give one or more of {}, separated "
      "by commas",
      name, fmt::join(names, ", ")));
}

std::vector<std::string_view> split_names(std::string_view names) {
  std::vector<std::string_view> all;
  while (true) {
    const std::size_t comma = names.find(',');
    all.push_back(names.substr(0, comma));
    if (comma == std::string_view::npos) return all;
    names.remove_prefix(comma + 1);
  }
}

}  // namespace

NonnegativeSet::NonnegativeSet(const std::vector<WeightGroup>& groups, std::string_view names) {
  if (names.empty()) return;
  std::vector<IndexRange> found;
  for (const std::string_view name : split_names(names)) {
    const WeightGroup& group = find_group(groups, name);
    found.push_back({static_cast<std::size_t>(group.begin), static_cast<std::size_t>(group.end)});
  }
  std::sort(found.begin(), found.end(),
            [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; });
  for (const IndexRange& range : found) {
    if (ranges_.empty() || ranges_.back().end < range.begin) {
      ranges_.push_back(range);
    } else {
      ranges_.back().end = std::max(ranges_.back().end, range.end);
    }
  }
}

void NonnegativeSet::truncate(Weights v, MutableWeights w) const {
  for_each([&](std::size_t j) { w[j] = v[j] > 0.0 ? v[j] : 0.0; });
}

void NonnegativeSet::clear(MutableWeights x) const {
  for_each([&](std::size_t j) { x[j] = 0.0; });
}

void NonnegativeSet::bend(Weights v, Weights change, double lambda, double largest,
                          Ascent& line) const {
  line.bends.clear();
  for_each([&](std::size_t j) {
    const double by = change[j];
    if (by == 0.0) return;
    const bool is_rising = by > 0.0;
    const bool is_active = v[j] > 0.0 || (v[j] == 0.0 && is_rising);
    const double curvature = lambda * by * by;
    if (!is_active) line.curvature -= curvature;
    if (v[j] == 0.0 || is_active == is_rising) return;  // moves away from 0 or stays there
    const double crossing = -v[j] / by;
    if (crossing < largest) line.bends.push_back({crossing, is_rising ? curvature : -curvature});
  });
  line.curvature = std::max(0.0, line.curvature);
  std::sort(line.bends.begin(), line.bends.end(), [](const Bend& a, const Bend& b) {
    return a.gamma != b.gamma ? a.gamma < b.gamma : a.curvature_change < b.curvature_change;
  });
}

}  // namespace gapwise::internal
