#include "tasks/sequence/reasons.h"

#include <fmt/format.h>

#include <algorithm>

#include "tasks/shared/ranking/chain_ranker.h"

namespace gapwise::internal {
namespace {

/// Collects the reasons for one label at one position in the place of another.
class Reasons {
 public:
  Reasons(const SequenceModel& model, const SequenceData& data, std::size_t first,
          std::vector<std::int32_t> labels)
      : model_(model), data_(data), first_(first), labels_(std::move(labels)) {}

  std::vector<Reason> find(std::size_t t, std::int32_t other) {
    found_.clear();
    const Index label = labels_[t];
    const ChainLayout& layout = model_.layout;
    for_each_feature(data_.nodes, t, [&](std::size_t a, double x) {
      const Index row = layout.node(static_cast<Index>(a));
      add(model_.alphabets.nodes.display_name(a), row + label, row + other, x);
    });
    if (t == 0) add("start", layout.start() + label, layout.start() + other);
    if (t + 1 == labels_.size()) add("end", layout.end() + label, layout.end() + other);
    if (t > 0) {
      const Index from = static_cast<Index>(labels_[t - 1]) * layout.labels;
      add_step(t, "after " + name(t - 1), from + label, from + other);
    }
    if (t + 1 < labels_.size()) {
      const Index to = labels_[t + 1];
      add_step(t + 1, "before " + name(t + 1), label * layout.labels + to,
               Index{other} * layout.labels + to);
    }
    if (layout.order == 2) add_triples(t, other);
    return std::move(found_);
  }

 private:
  std::string name(std::size_t t) const {
    return std::string(model_.alphabets.labels.name(static_cast<std::size_t>(labels_[t])));
  }
  void add(std::string what, Index label, Index other, double x = 1.0) {
    const auto weight = [&](Index at) { return model_.w[static_cast<std::size_t>(at)]; };
    found_.push_back({std::move(what), (weight(label) - weight(other)) * x});
  }
  /// A step into position t, with the attributes it has; `pair` and `other` count in matrices.
  void add_step(std::size_t t, const std::string& what, Index pair, Index other) {
    const ChainLayout& layout = model_.layout;
    add(what, layout.transition() + pair, layout.transition() + other);
    if (layout.edge_attributes == 0) return;
    for_each_feature(data_.edges, t, [&](std::size_t a, double x) {
      const Index matrix = layout.edge(static_cast<Index>(a));
      add(fmt::format("{} {}", model_.alphabets.edges.display_name(a), what), matrix + pair,
          matrix + other, x);
    });
  }
  /// Three labels in a row, wherever position t stands among them.
  void add_triples(std::size_t t, std::int32_t other) {
    const ChainLayout& layout = model_.layout;
    for (std::size_t last = std::max(t, std::size_t{2}); last < labels_.size() && last <= t + 2;
         ++last) {
      const auto at = [&](std::int32_t label) {
        Index number = 0;
        for (std::size_t s = last - 2; s <= last; ++s) {
          number = number * layout.labels + (s == t ? label : labels_[s]);
        }
        return layout.triple() + number;
      };
      const auto shown = [&](std::size_t s) { return s == t ? "_" : name(s); };
      add(fmt::format("in {} {} {}", shown(last - 2), shown(last - 1), shown(last)), at(labels_[t]),
          at(other));
    }
  }
  template <class Visit>
  void for_each_feature(const FeatureRows& rows, std::size_t t, Visit visit) const {
    const FeatureRow row = rows.row(first_ + t);
    for (std::size_t f = 0; f < row.size; ++f) {
      visit(row.attributes != nullptr ? row.attributes[f] : f,
            row.values != nullptr ? row.values[f] : 1.0);
    }
  }

  const SequenceModel& model_;
  const SequenceData& data_;
  std::size_t first_;
  std::vector<std::int32_t> labels_;
  std::vector<Reason> found_;
};

}  // namespace

void add_sequence_reasons(const SequenceModel& model, const SequenceData& data, Index i,
                          Index count, Ranking& ranking) {
  const auto number = [&](const std::string& label) {
    return static_cast<std::int32_t>(model.alphabets.labels.find(label));
  };
  std::vector<std::int32_t> labels;
  for (const std::string& label : ranking.outputs.front().output.labels) {
    labels.push_back(number(label));
  }
  Reasons reasons(model, data, data.starts[static_cast<std::size_t>(i)], std::move(labels));
  for (std::size_t t = 0; t < ranking.places.size(); ++t) {
    RankedPlace& place = ranking.places[t];
    if (place.runner_up.empty()) continue;
    place.reasons = reasons.find(t, number(place.runner_up));
    keep_reasons(place.reasons, count);
  }
}

}  // namespace gapwise::internal
