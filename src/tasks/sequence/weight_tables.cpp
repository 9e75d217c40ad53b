#include "tasks/sequence/weight_tables.h"

#include <fmt/format.h>

#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

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
  /// Of chunks, as the label of their first token tells.
  std::string type(Index x) const {
    const SegmentTypes::Type& type =
        model_.settings.variant.segments->types[static_cast<std::size_t>(x)];
    for (const std::int32_t k : {type.single, type.first, type.inner, type.last}) {
      if (k >= 0) return label(k).substr(2);
    }
    return "";
  }
  std::string segment(Index k) const {
    return model_.alphabets.segments.display_name(static_cast<std::size_t>(k));
  }
  std::string triple(Index k) const {
    return fmt::format("{} -> {}", pair(k / model_.layout.labels), label(k % model_.layout.labels));
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
    add("edge attributes", layout.edge(0), 1, layout.triple() - layout.edge(0),
        [&](Index e) { return names.edge(e); });
  }
  for (Index x = 0; x < layout.segment_types; ++x) {
    add("segment " + names.type(x), layout.segment(0) + x, layout.segment_types,
        layout.segment_attributes, [&](Index a) { return names.segment(a); });
  }
  if (layout.order == 2) {
    add("three labels in a row", layout.triple(), 1, layout.num_triples(),
        [&](Index p) { return names.triple(p); });
  }
  return tables;
}

std::vector<WeightMatrix> sequence_weight_matrices(const SequenceModel& model) {
  const ChainLayout& layout = model.layout;
  const std::vector<std::string> labels = model.alphabets.labels.names();
  std::vector<WeightMatrix> matrices;
  if (!model.kernel) {
    std::vector<std::string> attributes;
    for (std::size_t a = 0; a < model.alphabets.nodes.size(); ++a) {
      attributes.push_back(model.alphabets.nodes.display_name(a));
    }
    matrices.push_back({"features", std::move(attributes), labels, layout.node(0)});
  }
  matrices.push_back({"start", {"start"}, labels, layout.start()});
  matrices.push_back({"end", {"end"}, labels, layout.end()});
  matrices.push_back({"transitions", labels, labels, layout.transition()});
  const ChainNames names(model);
  if (layout.segment_types > 0) {
    std::vector<std::string> attributes;
    for (Index a = 0; a < layout.segment_attributes; ++a) attributes.push_back(names.segment(a));
    std::vector<std::string> types;
    for (Index x = 0; x < layout.segment_types; ++x) types.push_back(names.type(x));
    matrices.push_back({"segments", std::move(attributes), std::move(types), layout.segment(0)});
  }
  if (layout.order == 2) {
    std::vector<std::string> pairs;
    for (Index p = 0; p < Index{layout.labels} * layout.labels; ++p) pairs.push_back(names.pair(p));
    matrices.push_back({"second-order transitions", std::move(pairs), labels, layout.triple()});
  }
  return matrices;
}

}  // namespace gapwise::internal
