#include "tasks/multilabel/predictor.h"

#include <fmt/format.h>

#include <functional>
#include <ostream>

#include "tasks/multilabel/arff.h"
#include "tasks/multilabel/metrics.h"
#include "tasks/multilabel/reader.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

/// Examples are read, labelled and let go in runs of about this many features and labels, so that
/// memory does not grow with the file.
constexpr std::size_t kBatchSize = std::size_t{1} << 20;

class MultilabelPredictor final : public Predictor {
 public:
  explicit MultilabelPredictor(MultilabelModel model)
      : model_(std::move(model)), labels_(model_.names.labels.size()) {}

  Metrics evaluate(const DataSource& source, const Threads& threads) const override {
    MultilabelMetrics metrics(labels_);
    for_each_batch(source, true, threads, [&](const Batch& batch) {
      for (std::size_t i = 0; i < batch.unknown.size(); ++i) {
        metrics.add(set_of(batch.gold, i), set_of(batch.predicted, i), batch.unknown[i]);
      }
    });
    return metrics.result();
  }

  void predict(const DataSource& source, const Threads& threads, std::ostream& out) const override {
    std::string text;
    for_each_batch(source, false, threads, [&](const Batch& batch) {
      text.clear();
      for (std::size_t i = 0; i < batch.unknown.size(); ++i) append(batch, i, text);
      out.write(text.data(), static_cast<std::streamsize>(text.size()));
    });
  }

  std::vector<WeightTable> top_weights(std::size_t count) const override {
    std::vector<WeightTable> tables;
    const auto labels = static_cast<Index>(labels_);
    for (Index l = 0; l < labels && !model_.kernel; ++l) {
      tables.push_back(
          weight_table("label " + label(static_cast<std::size_t>(l)),
                       {model_.w, l, labels, model_.layout.attributes}, count,
                       [&](Index a) { return model_.names.feature(static_cast<std::size_t>(a)); }));
    }
    if (model_.layout.num_pairs() == 0) return tables;
    std::vector<std::string> pairs;
    for (std::size_t a = 0; a < labels_; ++a) {
      for (std::size_t b = a + 1; b < labels_; ++b) pairs.push_back(label(a) + " + " + label(b));
    }
    tables.push_back(
        weight_table("pairs", {model_.w, model_.layout.pairs(), 1, model_.layout.num_pairs()},
                     count, [&](Index p) { return pairs[static_cast<std::size_t>(p)]; }));
    return tables;
  }

 private:
  struct Batch {
    FeatureRows inputs;
    std::vector<std::uint8_t> gold;  ///< set after set, 1 for each label that is on
    std::vector<std::uint8_t> predicted;
    std::vector<Index> unknown;  ///< gold labels that the model does not know, by example

    std::size_t size() const { return inputs.num_values() + gold.size() + unknown.size(); }
  };

  std::string label(std::size_t l) const { return std::string(model_.names.labels.name(l)); }
  std::span<const std::uint8_t> set_of(const std::vector<std::uint8_t>& sets, std::size_t i) const {
    return std::span(sets).subspan(i * labels_, labels_);
  }
  /// Its labels on a line, separated by commas.
  void append(const Batch& batch, std::size_t i, std::string& text) const {
    const auto on = set_of(batch.predicted, i);
    bool is_first = true;
    for (std::size_t l = 0; l < labels_; ++l) {
      if (on[l] == 0) continue;
      if (!is_first) text.push_back(',');
      text.append(arff_word(model_.names.labels.name(l)));
      is_first = false;
    }
    text.push_back('\n');
  }

  void for_each_batch(const DataSource& source, bool needs_labels, const Threads& threads,
                      const std::function<void(const Batch&)>& visit) const;
  void add(const MultilabelExample& example, Batch& batch) const;
  void classify(const Threads& threads, Batch& batch) const;

  MultilabelModel model_;
  std::size_t labels_;
};

void MultilabelPredictor::for_each_batch(const DataSource& source, bool needs_labels,
                                         const Threads& threads,
                                         const std::function<void(const Batch&)>& visit) const {
  LineReader lines(source.path);
  MultilabelPlan plan;
  plan.format = multilabel_format(
      {source.path, source.format.empty() ? model_.settings.format : source.format, source.folds},
      lines);
  plan.labels = model_.names.labels.names();
  plan.feature_names = model_.names.feature_names;
  plan.feature_indices = model_.names.features.indices;
  plan.needs_labels = needs_labels;
  const auto reader = make_multilabel_reader(lines, plan);
  MultilabelExample example;
  bool has_more = true;
  bool has_examples = false;
  while (has_more) {
    Batch batch;
    while (batch.size() < kBatchSize && (has_more = reader->read(example))) {
      add(example, batch);
      has_examples = true;
    }
    batch.inputs.finish(static_cast<std::uint32_t>(model_.names.features.size()));
    classify(threads, batch);
    visit(batch);
  }
  if (!has_examples) fail_without_examples(plan.format, lines);
}

void MultilabelPredictor::add(const MultilabelExample& example, Batch& batch) const {
  model_.names.features.add_row(example.indices, example.values, batch.inputs);
  batch.gold.resize(batch.gold.size() + labels_, 0);
  batch.unknown.push_back(0);
  for (const std::string& name : example.labels) {
    const std::uint32_t l = model_.names.labels.find(name);
    if (l == Alphabet::kUnknown) {
      ++batch.unknown.back();
    } else {
      batch.gold[batch.gold.size() - labels_ + l] = 1;
    }
  }
}

void MultilabelPredictor::classify(const Threads& threads, Batch& batch) const {
  batch.predicted.resize(batch.gold.size());
  std::vector<MultilabelClassifier> classifiers;
  for (int k = 0; k < threads.count(); ++k) {
    classifiers.push_back(model_.kernel
                              ? MultilabelClassifier(model_.layout, model_.w, *model_.kernel)
                              : MultilabelClassifier(model_.layout, model_.w));
  }
  threads.run(std::ssize(batch.unknown), [&](Index begin, Index end, int slot) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const auto on = classifiers[static_cast<std::size_t>(slot)].classify(batch.inputs, i);
      std::copy(on.begin(), on.end(),
                batch.predicted.begin() + static_cast<std::ptrdiff_t>(i * labels_));
    }
  });
}

}  // namespace

std::unique_ptr<Predictor> make_multilabel_predictor(MultilabelModel model) {
  return std::make_unique<MultilabelPredictor>(std::move(model));
}

}  // namespace gapwise::internal
