#include "io/weight_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace gapwise {
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

/// Names of what owns the weights of a chain model.
class ChainNames {
 public:
  explicit ChainNames(const SequenceModel& model) : model_(model) {}

  std::string label(Index k) const {
    return std::string(model_.alphabets.labels.name(static_cast<std::size_t>(k)));
  }
  std::string node(Index k) const {
    return model_.alphabets.nodes.display_name(static_cast<std::size_t>(k));
  }
  std::string pair(Index k) const {
    return fmt::format("{} -> {}", label(k / model_.layout.labels),
                       label(k % model_.layout.labels));
  }
  std::string edge(Index k) const {
    const Index pairs = static_cast<Index>(model_.layout.labels) * model_.layout.labels;
    return fmt::format("{}: {}",
                       model_.alphabets.edges.display_name(static_cast<std::size_t>(k / pairs)),
                       pair(k % pairs));
  }

 private:
  const SequenceModel& model_;
};

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

std::vector<WeightTable> sequence_weight_tables(const SequenceModel& model, std::size_t count) {
  const ChainLayout& layout = model.layout;
  const Index labels = layout.labels;
  const ChainNames names(model);
  std::vector<WeightTable> tables;
  const auto add = [&](std::string title, Index begin, Index stride, Index size,
                       const std::function<std::string(Index)>& name_of_entry) {
    tables.push_back(
        weight_table(std::move(title), {model.w, begin, stride, size}, count, name_of_entry));
  };
  const auto label = [&](Index k) { return names.label(k); };
  for (Index k = 0; k < labels && !model.kernel; ++k) {
    add("label " + names.label(k), k, labels, layout.node_attributes,
        [&](Index a) { return names.node(a); });
  }
  add("transitions", layout.transition(), 1, labels * labels,
      [&](Index p) { return names.pair(p); });
  add("start", layout.start(), 1, labels, label);
  add("end", layout.end(), 1, labels, label);
  if (layout.edge_attributes > 0) {
    add("edge attributes", layout.edge(0), 1, layout.dimension() - layout.edge(0),
        [&](Index e) { return names.edge(e); });
  }
  return tables;
}

}  // namespace gapwise
