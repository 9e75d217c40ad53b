#include "tasks/shared/weight_tables.h"

#include <algorithm>

namespace gapwise::internal {
namespace {

struct Entry {
  double weight;
  Index id;
};

/// The `count` first entries in the order of `weight * sign`, largest first; ties by number.
std::vector<Entry> first_of(std::vector<Entry>& entries, double sign, std::size_t count) {
  const auto is_before = [sign](const Entry& a, const Entry& b) {
    return a.weight != b.weight ? a.weight * sign > b.weight * sign : a.id < b.id;
  };
  const auto middle =
      entries.begin() + static_cast<std::ptrdiff_t>(std::min(count, entries.size()));
  std::partial_sort(entries.begin(), middle, entries.end(), is_before);
  const auto last = std::find_if(entries.begin(), middle,
                                 [sign](const Entry& e) { return e.weight * sign <= 0.0; });
  return {entries.begin(), last};
}

}  // namespace

WeightTable weight_table(std::string title, const WeightRun& run, std::size_t count,
                         const std::function<std::string(Index)>& name_of_entry) {
  std::vector<Entry> entries;
  for (Index k = 0; k < run.size; ++k) {
    const double weight = run.w[static_cast<std::size_t>(run.begin + k * run.stride)];
    if (weight != 0.0) entries.push_back({weight, k});
  }
  WeightTable result{std::move(title), {}};
  const std::vector<Entry> positive = first_of(entries, 1.0, count);
  const std::vector<Entry> negative = first_of(entries, -1.0, count);
  for (const Entry& e : positive) result.rows.emplace_back(name_of_entry(e.id), e.weight);
  for (auto e = negative.rbegin(); e != negative.rend(); ++e) {
    result.rows.emplace_back(name_of_entry(e->id), e->weight);
  }
  return result;
}

}  // namespace gapwise::internal
