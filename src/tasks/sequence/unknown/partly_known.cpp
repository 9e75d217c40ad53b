#include "tasks/sequence/unknown/partly_known.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "tasks/partly_known.h"
#include "tasks/shared/parallel_labels.h"

namespace gapwise::internal {
namespace {

void copy_row(const FeatureRows& from, std::size_t r, FeatureRows& to) {
  const FeatureRow row = from.row(r);
  for (std::size_t k = 0; k < row.size; ++k) {
    const std::uint32_t attribute =
        row.attributes != nullptr ? row.attributes[k] : static_cast<std::uint32_t>(k);
    const double value = row.values != nullptr ? row.values[k] : 1.0;
    if (value != 0.0) to.add(attribute, value);
  }
  to.end_row();
}

/// Gives token r of `to`, the next one, its list of labels.
void add_list(std::span<const std::int32_t> labels, SequenceData& to) {
  to.allowed.insert(to.allowed.end(), labels.begin(), labels.end());
  to.allowed_starts.push_back(to.allowed.size());
}

/// What the dictionary says of token r; nothing if there is none.
std::span<const std::int32_t> list_of(const SequenceData& data, std::size_t r) {
  if (data.allowed_starts.empty()) return {};
  return std::span(data.allowed)
      .subspan(data.allowed_starts[r], data.allowed_starts[r + 1] - data.allowed_starts[r]);
}

class PartlyKnownSequences final : public TrainingSet, public PartlyKnown {
 public:
  PartlyKnownSequences(NumberedSequences sequences, SequenceSettings settings,
                       std::optional<SequenceLoss> loss, const std::string& source)
      : sequences_(std::move(sequences)),
        settings_(std::move(settings)),
        loss_(loss),
        source_(source) {
    const std::vector<std::int32_t>& labels = sequences_.data->labels;
    num_unknown_ = std::ranges::count(labels, kNoLabel);
    if (num_unknown_ == std::ssize(labels)) {
      throw InputError(fmt::format("{}: no label is known; there is nothing to learn", source_));
    }
    if (settings_.variant.beam > 0) {
      throw OptionError(fmt::format(
          "{}: {} not known, and they are completed by exact decoding, which a beam is not; leave "
          "out \1beam",
          source_, num_unknown_ == 1 ? "1 label is" : fmt::format("{} labels are", num_unknown_)));
    }
    if (!settings_.rule.empty()) {
      settings_.variant.constraints = std::make_shared<const ChainConstraints>(
          make_constraints(settings_.rule, sequences_.alphabets.labels));
    }
    validate(settings_.variant);
  }

  const Problem& problem() const override { fail(); }
  ModelRecord make_model(Weights, Keep) const override { fail(); }
  const PartlyKnown* partly_known() const override { return this; }
  std::string describe() const override {
    return fmt::format("{}, {} labels not known", describe_sequences(sequences_), num_unknown_);
  }

  Index num_examples() const override { return sequences_.data->size(); }
  Index num_unknown() const override { return num_unknown_; }

  /// Without constraints, which runs may break where they begin and end.
  std::unique_ptr<TrainingSet> known_alone() const override {
    SequenceSettings settings = settings_;
    settings.rule.clear();
    settings.variant.constraints = nullptr;
    SequenceData runs = known_runs(*sequences_.data);
    finish_features(runs, sequences_.alphabets);
    return make_set(std::move(runs), settings);
  }

  CompletedExamples complete(Weights w, const Threads& threads) const override {
    const SequenceData fixed = fixed_to_known(*sequences_.data);
    const ChainLayout layout = chain_layout(sequences_.alphabets, settings_.variant, source_);
    SequenceData data = *sequences_.data;
    label_all(threads, data.size(), SequenceTagger(layout, w, settings_.variant),
              [&](SequenceTagger& tagger, Index i) {
                const auto found = tagger.tag(fixed, i);
                std::copy(found.begin(), found.end(),
                          data.labels.begin() + static_cast<std::ptrdiff_t>(
                                                    data.starts[static_cast<std::size_t>(i)]));
              });
    CompletedExamples completed;
    for (std::size_t r = 0; r < data.labels.size(); ++r) {
      if (sequences_.data->labels[r] == kNoLabel) completed.labels.push_back(data.labels[r]);
    }
    completed.set = make_set(std::move(data), settings_);
    return completed;
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(fmt::format(
        "{}: {} labels are not known ('{}'); 'train' completes them in rounds, without weights of "
        "examples; for everything else complete them first",
        source_, num_unknown_, settings_.unknown_label));
  }

  std::unique_ptr<TrainingSet> make_set(SequenceData data, const SequenceSettings& settings) const {
    return make_sequence_training_set(
        {std::make_shared<const SequenceData>(std::move(data)), sequences_.alphabets}, settings,
        loss_, source_);
  }

  NumberedSequences sequences_;
  SequenceSettings settings_;
  std::optional<SequenceLoss> loss_;
  std::string source_;
  Index num_unknown_ = 0;
};

}  // namespace

SequenceData known_runs(const SequenceData& data) {
  SequenceData runs;
  const bool has_edges = data.edges.num_rows() > 0;
  if (!data.allowed_starts.empty()) runs.allowed_starts.push_back(0);
  const auto end_run = [&runs] {
    if (runs.labels.size() > runs.starts.back()) runs.starts.push_back(runs.labels.size());
  };
  for (Index i = 0; i < data.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    for (std::size_t r = data.starts[k]; r < data.starts[k + 1]; ++r) {
      if (data.labels[r] == kNoLabel) {
        end_run();
        continue;
      }
      runs.labels.push_back(data.labels[r]);
      copy_row(data.nodes, r, runs.nodes);
      if (has_edges) copy_row(data.edges, r, runs.edges);
      if (!data.allowed_starts.empty()) add_list(list_of(data, r), runs);
    }
    end_run();
  }
  return runs;
}

SequenceData fixed_to_known(const SequenceData& data) {
  SequenceData fixed = data;
  fixed.allowed.clear();
  fixed.allowed_starts.assign(1, 0);
  for (std::size_t r = 0; r < data.labels.size(); ++r) {
    const bool is_known = data.labels[r] != kNoLabel;
    add_list(is_known ? std::span(&data.labels[r], 1) : list_of(data, r), fixed);
  }
  return fixed;
}

std::unique_ptr<TrainingSet> make_partly_known_sequences(NumberedSequences sequences,
                                                         SequenceSettings settings,
                                                         std::optional<SequenceLoss> loss,
                                                         const std::string& source) {
  return std::make_unique<PartlyKnownSequences>(std::move(sequences), std::move(settings), loss,
                                                source);
}

}  // namespace gapwise::internal
