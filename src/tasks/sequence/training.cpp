#include "tasks/sequence/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "io/fields.h"
#include "io/label_weights.h"
#include "tasks/sequence/reader.h"
#include "tasks/sequence/unknown/partly_known.h"

namespace gapwise::internal {
namespace {

ReadPlan plan_reading(LineReader& lines, const DataSource& source, const std::string& template_path,
                      const SequenceSettings& settings) {
  ReadPlan plan;
  plan.format = source.format.empty() ? detect_sequence_format(lines.head()) : source.format;
  plan.folds = source.folds;
  plan.has_dictionary = settings.dictionary;
  if (template_path.empty()) return plan;
  if (plan.format != "conll") {
    throw OptionError(fmt::format(
        "\1template is for format conll, but {} is read as {}; leave it out or pass \1format conll",
        lines.name(), plan.format));
  }
  plan.templates = Template::read(template_path);
  return plan;
}

/// Drops attributes that occur in fewer than `min_count` tokens and renumbers the others.
void drop_rare(Index min_count, Alphabet& alphabet, FeatureRows& rows) {
  std::vector<Index> counts(alphabet.size(), 0);
  const auto for_each_entry = [&rows](auto visit, auto end_row) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) {
      const FeatureRow row = rows.row(r);
      for (std::size_t k = 0; k < row.size; ++k) {
        visit(row.attributes[k], row.values != nullptr ? row.values[k] : 1.0);
      }
      end_row();
    }
  };
  for_each_entry([&](std::uint32_t id, double) { ++counts[id]; }, [] {});

  std::vector<std::uint32_t> kept;
  std::vector<std::uint32_t> renumbered(alphabet.size(), Alphabet::kUnknown);
  for (std::uint32_t id = 0; id < alphabet.size(); ++id) {
    if (counts[id] < min_count) continue;
    renumbered[id] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(id);
  }
  FeatureRows rest;
  for_each_entry(
      [&](std::uint32_t id, double value) {
        if (renumbered[id] != Alphabet::kUnknown) rest.add(renumbered[id], value);
      },
      [&rest] { rest.end_row(); });
  alphabet = alphabet.select(kept);
  rows = std::move(rest);
}

/// What the rule of the settings says of the labels. InputError if a true labelling breaks it.
void add_constraints(SequenceSettings& settings, const NumberedSequences& sequences,
                     const std::string& source) {
  if (settings.rule.empty()) return;
  const Alphabet& labels = sequences.alphabets.labels;
  const SequenceData& data = *sequences.data;
  ChainConstraints constraints = make_constraints(settings.rule, labels);
  for (Index i = 0; i < data.size(); ++i) {
    const std::size_t first = data.starts[static_cast<std::size_t>(i)];
    const auto truth =
        std::span(data.labels).subspan(first, static_cast<std::size_t>(data.length(i)));
    const std::optional<std::size_t> at = constraints.first_break(truth);
    if (!at) continue;
    const auto name = [&](std::size_t t) {
      return labels.name(static_cast<std::size_t>(truth[t]));
    };
    const std::string step = *at == 0              ? fmt::format("starts with '{}'", name(0))
                             : *at == truth.size() ? fmt::format("ends with '{}'", name(*at - 1))
                                                   : fmt::format("has '{}' behind '{}' at token {}",
                                                                 name(*at), name(*at - 1), *at + 1);
    throw InputError(fmt::format(
        "{}: sequence {} {}, which \1constraints {} forbids; correct its labels or the constraints",
        source, i + 1, step, settings.rule));
  }
  settings.variant.constraints = std::make_shared<const ChainConstraints>(std::move(constraints));
  validate(settings.variant);
}

/// What the rule of the settings says of wrong labels.
void add_label_weights(SequenceSettings& settings, const NumberedSequences& sequences) {
  const Alphabet& labels = sequences.alphabets.labels;
  std::vector<Index> counts(labels.size(), 0);
  for (const std::int32_t label : sequences.data->labels) ++counts[static_cast<std::size_t>(label)];
  settings.variant.label_weights = label_weights(settings.label_weights, labels, counts);
  validate(settings.variant);
}

class SequenceTrainingSet final : public TrainingSet {
 public:
  SequenceTrainingSet(SequenceSettings settings, NumberedSequences sequences,
                      const std::string& source)
      : settings_(std::move(settings)),
        sequences_(std::move(sequences)),
        layout_(chain_layout(sequences_.alphabets, settings_.variant, source)),
        problem_(
            make_sequence_problem(sequences_.data, layout_, settings_.loss, settings_.variant)) {}

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override { return describe_sequences(sequences_); }

  ModelRecord make_model(Weights w, Keep keep) const override {
    return encode_sequence_model(settings_, sequences_.alphabets, layout_, w, keep);
  }
  ModelRecord make_kernel_model(const KernelExpansion& expansion, Keep keep) const override {
    return encode_sequence_kernel_model(settings_, sequences_.alphabets, layout_, expansion,
                                        sequences_.data->nodes, keep);
  }

 private:
  SequenceSettings settings_;
  NumberedSequences sequences_;
  ChainLayout layout_;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::string describe_sequences(const NumberedSequences& sequences) {
  const SequenceAlphabets& alphabets = sequences.alphabets;
  std::string text = fmt::format(
      "{}, {}, {}, {}", counted(sequences.data->starts.size() - 1, "sequence"),
      counted(sequences.data->labels.size(), "token"), counted(alphabets.labels.size(), "label"),
      counted(alphabets.nodes.size(), "attribute"));
  if (alphabets.edges.size() > 0) {
    text += ", " + counted(alphabets.edges.size(), "edge attribute");
  }
  if (alphabets.segments.size() > 0) {
    text += ", " + counted(alphabets.segments.size(), "segment attribute");
  }
  return text;
}

NumberedSequences finish_sequences(SequenceBatch batch, SequenceAlphabets alphabets,
                                   const SequenceSettings& settings, const std::string& source) {
  SequenceData& data = batch.data;
  const auto rank = sort_labels(alphabets.labels, data.labels, std::less<std::string_view>());
  for (std::int32_t& label : data.allowed) label = rank[static_cast<std::size_t>(label)];
  if (settings.min_count > 1) {
    drop_rare(settings.min_count, alphabets.nodes, data.nodes);
    drop_rare(settings.min_count, alphabets.edges, data.edges);
  }
  if (settings.longest_segment > 0) {
    if (std::ranges::find(data.labels, kNoLabel) != data.labels.end()) {
      throw OptionError(
          fmt::format("{}: some labels are not known ('{}'), so that there are no segments to "
                      "learn from; leave "
                      "out \1segments",
                      source, settings.unknown_label));
    }
    learn_segment_attributes(batch.pieces, data,
                             segment_types(alphabets.labels, settings.longest_segment),
                             settings.min_count, source, alphabets.segments);
  }
  finish_batch(batch, alphabets, settings.longest_segment);
  return {std::make_shared<const SequenceData>(std::move(data)), std::move(alphabets)};
}

NumberedSequences read_sequences(const DataSource& source, const std::string& template_path,
                                 SequenceSettings& settings) {
  LineReader lines(source.path);
  const ReadPlan plan = plan_reading(lines, source, template_path, settings);
  const std::unique_ptr<SequenceReader> reader = make_sequence_reader(lines, plan);

  SequenceAlphabets alphabets;
  alphabets.nodes = Alphabet(settings.hash_bits);
  alphabets.edges = Alphabet(settings.hash_bits);
  alphabets.segments = Alphabet(settings.hash_bits);
  SequenceBuilder builder(&lines, alphabets);
  builder.set_unknown_label(settings.unknown_label);
  builder.set_pieces(settings.longest_segment > 0);
  while (reader->read(builder)) {
  }
  SequenceBatch batch = builder.take();
  if (batch.size() == 0) fail_without_sequences(lines, *reader);

  settings.format = plan.format;
  settings.template_lines = reader->template_lines();
  settings.num_columns = reader->num_columns();
  return finish_sequences(std::move(batch), std::move(alphabets), settings, source.path);
}

std::unique_ptr<TrainingSet> make_sequence_training_set(NumberedSequences sequences,
                                                        SequenceSettings settings,
                                                        std::optional<SequenceLoss> loss,
                                                        const std::string& source) {
  if (std::ranges::find(sequences.data->labels, kNoLabel) != sequences.data->labels.end()) {
    return make_partly_known_sequences(std::move(sequences), std::move(settings), loss, source);
  }
  const SequenceLoss usual =
      settings.format == "letters" ? SequenceLoss::kNormalizedHamming : SequenceLoss::kHamming;
  settings.loss = loss.value_or(usual);
  if (settings.longest_segment > 0) {
    settings.variant.segments = std::make_shared<const SegmentTypes>(
        segment_types(sequences.alphabets.labels, settings.longest_segment));
    validate(settings.variant);
  }
  add_constraints(settings, sequences, source);
  add_label_weights(settings, sequences);
  return std::make_unique<SequenceTrainingSet>(std::move(settings), std::move(sequences), source);
}

}  // namespace gapwise::internal
