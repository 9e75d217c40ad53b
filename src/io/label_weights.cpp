#include "io/label_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

/// The rules that are no files, and the power of the weights that make all labels count the same.
constexpr std::pair<std::string_view, double> kRules[] = {{"balanced", 1.0}, {"margins", 0.25}};

/// The power of a rule; none if it is a file.
std::optional<double> power_of(const std::string& rule) {
  for (const auto& [name, power] : kRules) {
    if (rule == name) return power;
  }
  return std::nullopt;
}

double parse_weight(const LineReader& lines, std::string_view text) {
  double weight = 0.0;
  if (parse_value(text, weight) == ValueText::kGood && weight > 0.0) return weight;
  lines.fail(fmt::format("'{}' is no weight of a label; give a positive number", text));
}

/// Calls take(label, weights) for each line of a label and up to `most` weights.
template <class Take>
void read_weights(const std::string& path, const Alphabet& labels, std::size_t most, Take take) {
  LineReader lines(path);
  std::vector<bool> is_seen(labels.size(), false);
  std::vector<std::string_view> fields;
  std::vector<double> weights;
  while (next_fields(lines, fields)) {
    if (fields.size() < 2 || fields.size() > most + 1) {
      lines.fail(fmt::format("{}; expected a label and {}, separated by blanks",
                             counted(fields.size(), "column"),
                             most == 1 ? "its weight"
                                       : "what it costs to miss it, perhaps with what it costs to "
                                         "find it where it is not"));
    }
    const std::uint32_t label = labels.find(fields[0]);
    if (label == Alphabet::kUnknown) {
      lines.fail(fmt::format("label '{}' is not in the training data; leave it out", fields[0]));
    }
    if (is_seen[label]) lines.fail(fmt::format("label '{}' has a weight already", fields[0]));
    is_seen[label] = true;
    weights.clear();
    for (std::size_t k = 1; k < fields.size(); ++k) {
      weights.push_back(parse_weight(lines, fields[k]));
    }
    take(label, weights);
  }
}

/// (share / count)^power, where there is something to weigh.
double balanced(double share, Index count, double power) {
  return count > 0 ? std::pow(share / static_cast<double>(count), power) : 1.0;
}

}  // namespace

Option label_weights_option(std::string& rule, const std::string& cost) {
  return option("label-weights", rule, "balanced|margins|FILE",
                cost +
                    ": so that all labels count the same however rare they are, the fourth root "
                    "of that, which often suits rare labels better, or as a file says, with a "
                    "label and its weight on each line; 1 for all if not given");
}

std::vector<double> label_weights(const std::string& rule, const Alphabet& labels,
                                  std::span<const Index> counts) {
  if (rule.empty()) return {};
  std::vector<double> result(labels.size(), 1.0);
  if (const std::optional<double> power = power_of(rule)) {
    const auto sum = static_cast<double>(std::accumulate(counts.begin(), counts.end(), Index{0}));
    const auto occurring =
        std::count_if(counts.begin(), counts.end(), [](Index count) { return count > 0; });
    std::transform(counts.begin(), counts.end(), result.begin(), [&](Index count) {
      return balanced(sum / static_cast<double>(occurring), count, *power);
    });
    return result;
  }
  read_weights(rule, labels, 1, [&](std::uint32_t label, const std::vector<double>& weights) {
    result[label] = weights[0];
  });
  return result;
}

PresenceCosts presence_costs(const std::string& rule, const Alphabet& labels,
                             std::span<const Index> counts, Index examples) {
  PresenceCosts costs;
  if (rule.empty()) return costs;
  costs.missed.assign(labels.size(), 1.0);
  costs.invented.assign(labels.size(), 1.0);
  if (const std::optional<double> power = power_of(rule)) {
    const double half = 0.5 * static_cast<double>(examples);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      costs.missed[k] = balanced(half, counts[k], *power);
      costs.invented[k] = balanced(half, examples - counts[k], *power);
    }
    return costs;
  }
  read_weights(rule, labels, 2, [&](std::uint32_t label, const std::vector<double>& weights) {
    costs.missed[label] = weights[0];
    if (weights.size() > 1) costs.invented[label] = weights[1];
  });
  return costs;
}

}  // namespace gapwise::internal
