#include "tasks/parsing/model.h"

#include <fmt/format.h>

#include "tasks/parsing/tag_features.h"
#include "tasks/parsing/treebank.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

/// Which templates and which hash the weights are found by; a change of either is a new version.
constexpr Index kTemplates = 1;

std::vector<std::int64_t> pick(std::span<const std::int64_t> buckets,
                               const std::vector<std::uint32_t>& used) {
  std::vector<std::int64_t> picked;
  for (const std::uint32_t id : used) picked.push_back(buckets[id]);
  return picked;
}

FeatureBuckets decode_buckets(const ModelFields& parts, const std::string& name, int bits) {
  FeatureBuckets buckets(bits);
  for (const std::int64_t bucket : parts.numbers(name)) {
    const std::size_t size = buckets.size();
    if (bucket < 0 || bucket >= std::int64_t{1} << bits) {
      parts.fail(fmt::format("bucket {} does not fit in {} bits", bucket, bits));
    }
    buckets.add(static_cast<std::uint64_t>(bucket));
    if (buckets.size() == size) parts.fail("the same bucket twice");
  }
  return buckets;
}

ParsingSettings decode_settings(ModelFields& parts) {
  ParsingSettings result;
  result.format = parts.format(treebank_formats());
  parts.number("templates", kTemplates, kTemplates);
  result.hash_bits = static_cast<int>(parts.number("hash-bits", 1, FeatureBuckets::kMostBits));
  result.has_labels = parts.yes_or_no("labelled");
  result.kind.is_projective = parts.yes_or_no("projective");
  result.kind.roots = parts.choice<RootCount>("roots");
  result.loss = parts.choice<ParsingLoss>("loss");
  result.features = parts.choice<FeatureSource>("features");
  return result;
}

std::vector<TagPair> decode_pairs(const ModelFields& parts, Index num_tags) {
  const std::vector<std::int64_t>& numbers = parts.numbers("tag-pairs");
  std::vector<TagPair> pairs;
  for (std::size_t k = 0; k + 2 < numbers.size(); k += 3) {
    const bool is_good = numbers[k] >= 0 && numbers[k] <= num_tags && numbers[k + 1] >= 0 &&
                         numbers[k + 1] < num_tags && numbers[k + 2] >= 0 &&
                         numbers[k + 2] < 2 * kDistanceSteps;
    if (!is_good) parts.fail("a tag pair of tags or a distance that there are not");
    pairs.push_back({numbers[k], numbers[k + 1], static_cast<int>(numbers[k + 2])});
  }
  if (3 * pairs.size() != numbers.size()) parts.fail("a tag pair is not complete");
  return pairs;
}

}  // namespace

ModelRecord encode_parsing_model(const ParsingSettings& settings, const ParsingNames& names,
                                 const ParsingFeatures& features, Weights w, Keep keep) {
  ModelRecord model = start_record("parsing", settings.format);
  model.settings["templates"] = fmt::to_string(kTemplates);
  model.settings["hash-bits"] = fmt::to_string(settings.hash_bits);
  model.settings["labelled"] = yes_no(settings.has_labels);
  model.settings["projective"] = yes_no(settings.kind.is_projective);
  model.settings["roots"] = name_of(settings.kind.roots);
  model.settings["loss"] = name_of(settings.loss);
  model.settings["features"] = name_of(settings.features);
  if (settings.kind.rules) model.lists["constraints"] = settings.kind.rules->lines();
  model.lists["labels"] = names.labels.names();
  model.lists["tags"] = names.tags.names();
  std::vector<std::int64_t>& pairs = model.numbers["tag-pairs"];
  for (const TagPair& pair : names.pairs) {
    pairs.insert(pairs.end(), {pair.head_tag, pair.tag, pair.place});
  }

  const auto arcs = static_cast<Index>(features.arcs.size());
  const auto used = used_attributes(w, 0, 1, arcs, keep);
  const auto used_labels = used_attributes(w, arcs, features.num_labels,
                                           static_cast<Index>(features.labels.size()), keep);
  model.numbers["arc-buckets"] = pick(features.arcs.buckets(), used);
  model.numbers["label-buckets"] = pick(features.labels.buckets(), used_labels);
  model.w.reserve(used.size() + used_labels.size() * static_cast<std::size_t>(features.num_labels));
  for (const std::uint32_t id : used) model.w.push_back(w[id]);
  for (const std::uint32_t id : used_labels) {
    const auto begin = w.begin() + arcs + static_cast<Index>(id) * features.num_labels;
    model.w.insert(model.w.end(), begin, begin + features.num_labels);
  }
  return model;
}

ParsingModel decode_parsing_model(ModelRecord model) {
  ModelFields parts(std::move(model), "parsing");
  ParsingModel result;
  result.settings = decode_settings(parts);
  ParsingNames& names = result.names;
  names.labels = parts.labels("labels");
  names.tags = parts.names("tags", "tag");
  if (const auto& lines = parts.model().lists; lines.contains("constraints")) {
    result.settings.kind.rules = std::make_shared<const ArcRules>(
        ArcRules::parse(lines.at("constraints"), names.labels,
                        [&](const std::string& what) { parts.fail("constraints: " + what); }));
  }
  names.pairs = decode_pairs(parts, static_cast<Index>(names.tags.size()));
  result.features.num_labels = static_cast<int>(names.labels.size());
  result.features.arcs = decode_buckets(parts, "arc-buckets", result.settings.hash_bits);
  result.features.labels = decode_buckets(parts, "label-buckets", result.settings.hash_bits);
  result.w = parts.take_weights(result.features.dimension());
  return result;
}

}  // namespace gapwise::internal
