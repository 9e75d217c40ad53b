#include "tasks/shared/weight_tables.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "tasks/parsing/model.h"
#include "tasks/parsing/tag_features.h"
#include "tasks/parsing/treebank.h"

namespace gapwise::internal {
namespace {

constexpr std::array<std::string_view, 2> kSideNames{"left", "right"};
constexpr std::array<std::string_view, kDistanceSteps> kStepNames{"1", "2",    "3",  "4",
                                                                  "5", "6-10", "11+"};

/// A pair of tags that owns weights.
struct NamedFeature {
  std::string name;
  std::uint32_t feature;
};

std::vector<NamedFeature> name_features(const ParsingModel& model, TagFeature kind) {
  const FeatureBuckets& buckets =
      kind == TagFeature::kLabel ? model.features.labels : model.features.arcs;
  const bool has_distance = kind == TagFeature::kArcDistance;
  const Alphabet& tags = model.names.tags;
  std::set<TagPair> seen;
  std::vector<NamedFeature> named;
  for (TagPair pair : model.names.pairs) {
    if (!has_distance) pair.place %= 2;
    if (!seen.insert(pair).second) continue;
    const std::string_view head =
        pair.head_tag == 0 ? "root" : tags.name(static_cast<std::size_t>(pair.head_tag - 1));
    const std::string_view word = tags.name(static_cast<std::size_t>(pair.tag));
    const std::uint32_t feature = buckets.find(tag_feature(
        kind, pair.head_tag == 0 ? kRootTag : hash_text(head), hash_text(word), pair.place));
    if (feature == FeatureBuckets::kUnknown) continue;
    std::string name = fmt::format("{} -> {}, head {}", head, word,
                                   kSideNames[static_cast<std::size_t>(pair.place % 2)]);
    if (has_distance) {
      name += fmt::format(" by {}", kStepNames[static_cast<std::size_t>(pair.place / 2)]);
    }
    named.push_back({std::move(name), feature});
  }
  return named;
}

/// The weight of feature f is at begin + f * stride.
WeightTable feature_table(const ParsingModel& model, const std::vector<NamedFeature>& named,
                          Index begin, Index stride, std::string title, std::size_t count) {
  std::vector<double> weights;
  for (const NamedFeature& entry : named) {
    weights.push_back(model.w[static_cast<std::size_t>(begin + entry.feature * stride)]);
  }
  return weight_table(std::move(title), {weights, 0, 1, std::ssize(weights)}, count,
                      [&](Index k) { return named[static_cast<std::size_t>(k)].name; });
}

}  // namespace

std::vector<WeightTable> parsing_weight_tables(const ParsingModel& model, std::size_t count) {
  std::vector<WeightTable> tables;
  tables.push_back(feature_table(model, name_features(model, TagFeature::kArc), 0, 1,
                                 "arcs between tags", count));
  tables.push_back(feature_table(model, name_features(model, TagFeature::kArcDistance), 0, 1,
                                 "arcs between tags by distance", count));
  if (!model.features.is_labelled()) return tables;
  const std::vector<NamedFeature> named = name_features(model, TagFeature::kLabel);
  const auto arcs = static_cast<Index>(model.features.arcs.size());
  for (Index k = 0; k < model.features.num_labels; ++k) {
    tables.push_back(feature_table(
        model, named, arcs + k, model.features.num_labels,
        fmt::format("label {}", model.names.labels.name(static_cast<std::size_t>(k))), count));
  }
  return tables;
}

}  // namespace gapwise::internal
