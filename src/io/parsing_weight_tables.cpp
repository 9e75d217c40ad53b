#include "io/parsing_weight_tables.h"

#include <fmt/format.h>

#include <array>

#include "gapwise/tasks/tag_features.h"
#include "io/treebank.h"
#include "io/weight_tables.h"

namespace gapwise {
namespace {

constexpr std::array<std::string_view, 2> kSideNames{"left", "right"};
constexpr std::array<std::string_view, kDistanceSteps> kStepNames{"1", "2",    "3",  "4",
                                                                  "5", "6-10", "11+"};

/// One pair of tags and a place of the head, with its feature number.
struct TagPair {
  std::size_t head_tag;  ///< 0 is the root, k + 1 tag number k
  std::size_t tag;
  int place;
  std::uint32_t feature;
};

/// All pairs that own a weight.
std::vector<TagPair> list_pairs(const ParsingModel& model, TagFeature kind, int num_places) {
  const FeatureBuckets& buckets =
      kind == TagFeature::kLabel ? model.features.labels : model.features.arcs;
  std::vector<std::uint64_t> hashes;
  for (std::size_t k = 0; k < model.tags.size(); ++k) {
    hashes.push_back(hash_text(model.tags.name(k)));
  }
  std::vector<TagPair> pairs;
  for (std::size_t head = 0; head <= hashes.size(); ++head) {
    for (std::size_t tag = 0; tag < hashes.size(); ++tag) {
      for (int place = 0; place < num_places; ++place) {
        const std::uint64_t head_hash = head == 0 ? kRootTag : hashes[head - 1];
        const std::uint32_t feature =
            buckets.find(tag_feature(kind, head_hash, hashes[tag], place));
        if (feature != FeatureBuckets::kUnknown) pairs.push_back({head, tag, place, feature});
      }
    }
  }
  return pairs;
}

std::string name_of_pair(const ParsingModel& model, const TagPair& pair, bool has_distance) {
  std::string name = fmt::format(
      "{} -> {}, head {}", pair.head_tag == 0 ? "root" : model.tags.name(pair.head_tag - 1),
      model.tags.name(pair.tag), kSideNames[static_cast<std::size_t>(pair.place % 2)]);
  if (has_distance) {
    name += fmt::format(" by {}", kStepNames[static_cast<std::size_t>(pair.place / 2)]);
  }
  return name;
}

/// `begin` and `stride` say where the weight of a feature is.
WeightTable pair_table(const ParsingModel& model, const std::vector<TagPair>& pairs,
                       bool has_distance, Index begin, Index stride, std::string title,
                       std::size_t count) {
  std::vector<double> weights;
  for (const TagPair& pair : pairs) {
    weights.push_back(model.w[static_cast<std::size_t>(begin + pair.feature * stride)]);
  }
  return weight_table(std::move(title), {weights, 0, 1, std::ssize(weights)}, count, [&](Index k) {
    return name_of_pair(model, pairs[static_cast<std::size_t>(k)], has_distance);
  });
}

}  // namespace

std::vector<WeightTable> parsing_weight_tables(const ParsingModel& model, std::size_t count) {
  std::vector<WeightTable> tables;
  tables.push_back(pair_table(model, list_pairs(model, TagFeature::kArc, 2), false, 0, 1,
                              "arcs between tags", count));
  tables.push_back(pair_table(model,
                              list_pairs(model, TagFeature::kArcDistance, 2 * kDistanceSteps), true,
                              0, 1, "arcs between tags by distance", count));
  if (!model.features.is_labelled()) return tables;
  const std::vector<TagPair> pairs = list_pairs(model, TagFeature::kLabel, 2);
  const auto arcs = static_cast<Index>(model.features.arcs.size());
  for (Index k = 0; k < model.features.num_labels; ++k) {
    tables.push_back(
        pair_table(model, pairs, false, arcs + k, model.features.num_labels,
                   fmt::format("label {}", model.labels.name(static_cast<std::size_t>(k))), count));
  }
  return tables;
}

}  // namespace gapwise
