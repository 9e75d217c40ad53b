#include "io/weight_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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

class TableMaker {
 public:
  TableMaker(const SequenceModel& model, std::size_t count) : model_(model), count_(count) {}

  /// A table over w[begin + k * stride], k < size.
  WeightTable table(std::string title, Index begin, Index stride, Index size,
                    const std::function<std::string(Index)>& name_of_entry) const {
    std::vector<Entry> entries;
    for (Index k = 0; k < size; ++k) {
      const double weight = model_.w[static_cast<std::size_t>(begin + k * stride)];
      if (weight != 0.0) entries.push_back({weight, k});
    }
    WeightTable result{std::move(title), {}};
    const std::vector<Entry> positive = first_of(entries, 1.0, count_);
    const std::vector<Entry> negative = first_of(entries, -1.0, count_);
    for (const Entry& e : positive) result.rows.emplace_back(name_of_entry(e.id), e.weight);
    for (auto e = negative.rbegin(); e != negative.rend(); ++e) {
      result.rows.emplace_back(name_of_entry(e->id), e->weight);
    }
    return result;
  }

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
  std::size_t count_;
};

}  // namespace

std::vector<WeightTable> sequence_weight_tables(const SequenceModel& model, std::size_t count) {
  const ChainLayout& layout = model.layout;
  const Index labels = layout.labels;
  const TableMaker make(model, count);
  const auto label = [&](Index k) { return make.label(k); };
  std::vector<WeightTable> tables;
  for (Index k = 0; k < labels; ++k) {
    tables.push_back(make.table("label " + make.label(k), k, labels, layout.node_attributes,
                                [&](Index a) { return make.node(a); }));
  }
  tables.push_back(make.table("transitions", layout.transition(), 1, labels * labels,
                              [&](Index p) { return make.pair(p); }));
  tables.push_back(make.table("start", layout.start(), 1, labels, label));
  tables.push_back(make.table("end", layout.end(), 1, labels, label));
  if (layout.edge_attributes > 0) {
    tables.push_back(make.table("edge attributes", layout.edge(0), 1,
                                layout.dimension() - layout.edge(0),
                                [&](Index e) { return make.edge(e); }));
  }
  return tables;
}

}  // namespace gapwise
