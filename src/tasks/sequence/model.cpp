#include "tasks/sequence/model.h"

#include <fmt/format.h>

#include <cassert>
#include <limits>
#include <utility>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "io/label_weights.h"
#include "tasks/sequence/metrics.h"
#include "tasks/sequence/reader.h"
#include "tasks/sequence/template.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

void save_alphabet(const Alphabet& alphabet, const std::string& prefix, ModelRecord& model) {
  if (alphabet.is_hashed()) {
    model.numbers[prefix + "buckets"] = alphabet.buckets();
  } else {
    model.lists[prefix + "attributes"] = alphabet.names();
  }
}

/// Models from before there were variants say nothing.
SequenceVariant decode_variant(ModelFields& parts) {
  const ModelRecord& model = parts.model();
  SequenceVariant result;
  if (model.settings.contains("rescaling")) {
    result.rescaling = parts.choice<Rescaling>("rescaling");
  }
  if (model.settings.contains("beam")) {
    result.beam = static_cast<int>(parts.number("beam", 0, kWidestBeam));
  }
  if (model.settings.contains("chain-order")) {
    result.order = static_cast<int>(parts.number("chain-order", 1, 2));
  }
  return result;
}

SequenceSettings decode_settings(ModelFields& parts) {
  const ModelRecord& model = parts.model();
  SequenceSettings result;
  result.format = parts.format(sequence_formats());
  result.hash_bits = static_cast<int>(parts.number("hash-bits", 0, Alphabet::kMostHashBits));
  result.min_count = parts.number("min-count", 1, std::numeric_limits<Index>::max());
  result.loss = parts.choice<SequenceLoss>("loss");
  result.variant = decode_variant(parts);
  result.dictionary = model.settings.contains("dictionary");
  if (model.settings.contains("segments")) {
    result.longest_segment = static_cast<int>(parts.number("segments", 1, kLongestSegment));
  }
  if (result.format == "conll") {
    result.num_columns = static_cast<int>(parts.number("columns", 2, kMostColumns));
    result.template_lines = model.list("template");
    Template::parse(result.template_lines, model.source + ": template")
        .check_columns(result.num_columns - (result.dictionary ? 2 : 1));
  }
  return result;
}

/// What labels may not do; null for models that say nothing.
std::shared_ptr<const ChainConstraints> decode_constraints(ModelFields& parts,
                                                           const Alphabet& labels) {
  if (!parts.model().settings.contains("constraints")) return nullptr;
  ChainConstraints result(static_cast<int>(labels.size()));
  for (const std::int64_t number : parts.numbers("forbidden")) {
    if (number < 0 || number >= result.num_numbers()) {
      parts.fail(fmt::format("forbidden step {} is not between 0 and {}", number,
                             result.num_numbers() - 1));
    }
    result.forbid_number(number);
  }
  return std::make_shared<const ChainConstraints>(std::move(result));
}

std::shared_ptr<const SegmentTypes> decode_segments(const ModelFields& parts,
                                                    const Alphabet& labels, int longest) {
  if (!are_chunk_labels(labels)) parts.fail("it has segments, but labels that mark no chunks");
  return std::make_shared<const SegmentTypes>(segment_types(labels, longest));
}

Alphabet decode_attributes(ModelFields& parts, const std::string& prefix, int hash_bits) {
  if (hash_bits == 0) return parts.names(prefix + "attributes", "attribute");
  const std::vector<std::int64_t>& buckets = parts.numbers(prefix + "buckets");
  for (const std::int64_t bucket : buckets) {
    if (bucket < 0 || bucket >= std::int64_t{1} << hash_bits) {
      parts.fail(fmt::format("bucket {} does not fit in {} bits", bucket, hash_bits));
    }
  }
  return parts.unique(Alphabet::from_buckets(hash_bits, buckets), buckets.size(), "bucket");
}

}  // namespace

ChainLayout chain_layout(const SequenceAlphabets& alphabets, const SequenceVariant& variant,
                         const std::string& source) {
  ChainLayout layout;
  layout.order = variant.order;
  if (variant.segments) {
    layout.segment_attributes = static_cast<Index>(alphabets.segments.size());
    layout.segment_types = static_cast<int>(variant.segments->size());
    layout.longest_segment = variant.segments->longest;
  }
  layout.node_attributes = static_cast<Index>(alphabets.nodes.size());
  layout.edge_attributes = static_cast<Index>(alphabets.edges.size());
  layout.labels = static_cast<int>(alphabets.labels.size());
  if (layout.dimension() > kLargestDimension) {
    throw InputError(fmt::format(
        "{}: {} labels, {} attributes and {} edge attributes make {} weights, more than {}; use "
        "\1min-count, \1hash-bits or a smaller template",
        source, layout.labels, layout.node_attributes, layout.edge_attributes, layout.dimension(),
        kLargestDimension));
  }
  return layout;
}

ModelRecord encode_sequence_model(const SequenceSettings& settings,
                                  const SequenceAlphabets& alphabets, const ChainLayout& layout,
                                  Weights w, Keep keep) {
  assert(static_cast<Index>(w.size()) == layout.dimension());
  const Index num_pairs = static_cast<Index>(layout.labels) * layout.labels;
  const auto nodes = used_attributes(w, 0, layout.labels, layout.node_attributes, keep);
  const auto edges = used_attributes(w, layout.edge(0), num_pairs, layout.edge_attributes, keep);
  const auto segments =
      used_attributes(w, layout.segment(0), layout.segment_types, layout.segment_attributes, keep);

  ModelRecord model = start_record("sequence", settings.format);
  model.settings["loss"] = name_of(settings.loss);
  note_label_weights(settings.label_weights, model);
  model.settings["rescaling"] = name_of(settings.variant.rescaling);
  model.settings["beam"] = fmt::to_string(settings.variant.beam);
  if (settings.variant.constraints) {
    model.settings["constraints"] = settings.rule;
    model.numbers["forbidden"] = settings.variant.constraints->numbers();
  }
  if (settings.variant.order != 1)
    model.settings["chain-order"] = fmt::to_string(settings.variant.order);
  if (settings.dictionary) model.settings["dictionary"] = "yes";
  if (settings.longest_segment > 0) {
    model.settings["segments"] = fmt::to_string(settings.longest_segment);
    save_alphabet(alphabets.segments.select(segments), "segment-", model);
  }
  model.settings["min-count"] = fmt::to_string(settings.min_count);
  model.settings["hash-bits"] = fmt::to_string(settings.hash_bits);
  if (settings.format == "conll") {
    model.settings["columns"] = fmt::to_string(settings.num_columns);
    model.lists["template"] = settings.template_lines;
  }
  model.lists["labels"] = alphabets.labels.names();
  save_alphabet(alphabets.nodes.select(nodes), "", model);
  save_alphabet(alphabets.edges.select(edges), "edge-", model);

  const auto copy = [&](Index begin, Index count) {
    model.w.insert(model.w.end(), w.begin() + begin, w.begin() + begin + count);
  };
  for (const std::uint32_t id : nodes) copy(layout.node(id), layout.labels);
  copy(layout.start(), layout.edge(0) - layout.start());
  for (const std::uint32_t id : edges) copy(layout.edge(id), num_pairs);
  copy(layout.triple(), layout.num_triples());
  for (const std::uint32_t id : segments) copy(layout.segment(id), layout.segment_types);
  return model;
}

ModelRecord encode_sequence_kernel_model(const SequenceSettings& settings,
                                         const SequenceAlphabets& alphabets, ChainLayout layout,
                                         const KernelExpansion& expansion,
                                         const FeatureRows& inputs, Keep keep) {
  layout.node_attributes = 0;
  ModelRecord model = encode_sequence_model(settings, alphabets, layout, expansion.rest, keep);
  save_alphabet(alphabets.nodes, "", model);
  encode_support(expansion, inputs, model);
  return model;
}

SequenceModel decode_sequence_model(ModelRecord model) {
  ModelFields parts(std::move(model), "sequence");
  SequenceModel result;
  result.settings = decode_settings(parts);
  result.alphabets.labels = parts.labels("labels");
  result.settings.variant.constraints = decode_constraints(parts, result.alphabets.labels);
  result.alphabets.nodes = decode_attributes(parts, "", result.settings.hash_bits);
  result.alphabets.edges = decode_attributes(parts, "edge-", result.settings.hash_bits);
  if (result.settings.longest_segment > 0) {
    result.alphabets.segments = decode_attributes(parts, "segment-", result.settings.hash_bits);
    result.settings.variant.segments =
        decode_segments(parts, result.alphabets.labels, result.settings.longest_segment);
  }
  validate(result.settings.variant);
  result.layout = chain_layout(result.alphabets, result.settings.variant, parts.model().source);
  result.kernel =
      decode_support(parts, result.alphabets.nodes.size(), result.alphabets.labels.size());
  if (result.kernel) result.layout.node_attributes = 0;
  result.w = parts.take_weights(result.layout.dimension());
  return result;
}

}  // namespace gapwise::internal
