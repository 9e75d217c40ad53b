#include "tasks/multiclass/predictor.h"

#include <fmt/format.h>

#include <functional>
#include <ostream>

#include "tasks/multiclass/problem.h"
#include "tasks/multiclass/reader.h"
#include "tasks/shared/labels.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

/// Examples are read, classified and let go in runs of about this many features, so that memory
/// does not grow with the file.
constexpr std::size_t kBatchFeatures = std::size_t{1} << 20;

class MulticlassPredictor final : public Predictor {
 public:
  explicit MulticlassPredictor(MulticlassModel model) : model_(std::move(model)) {}

  Metrics evaluate(const DataSource& source, const Threads& threads) const override {
    Index examples = 0;
    Index correct = 0;
    for_each_batch(source, true, threads, [&](const Batch& batch) {
      examples += std::ssize(batch.gold);
      for (std::size_t i = 0; i < batch.gold.size(); ++i) {
        correct += batch.gold[i] == batch.predicted[i] ? 1 : 0;
      }
    });
    return {{"accuracy", static_cast<double>(correct) / static_cast<double>(examples)}};
  }

  void predict(const DataSource& source, const Threads& threads, std::ostream& out) const override {
    std::string text;
    for_each_batch(source, false, threads, [&](const Batch& batch) {
      text.clear();
      for (const std::int32_t label : batch.predicted) {
        text.append(model_.classes.name(static_cast<std::size_t>(label))).push_back('\n');
      }
      out.write(text.data(), static_cast<std::streamsize>(text.size()));
    });
  }

  std::vector<WeightTable> top_weights(std::size_t count) const override {
    if (model_.kernel) return {};
    const auto classes = static_cast<Index>(model_.classes.size());
    std::vector<WeightTable> tables;
    for (Index k = 0; k < classes; ++k) {
      tables.push_back(
          weight_table(fmt::format("label {}", model_.classes.name(static_cast<std::size_t>(k))),
                       {model_.w, k, classes, static_cast<Index>(model_.features.size())}, count,
                       [&](Index attribute) {
                         return model_.features.name(static_cast<std::size_t>(attribute));
                       }));
    }
    return tables;
  }

 private:
  struct Batch {
    FeatureRows inputs;
    std::vector<std::int32_t> gold;  ///< kNoLabel: none, or one the model does not know
    std::vector<std::int32_t> predicted;
  };

  void for_each_batch(const DataSource& source, bool needs_labels, const Threads& threads,
                      const std::function<void(const Batch&)>& visit) const;
  void classify(const Threads& threads, Batch& batch) const;

  MulticlassModel model_;
};

void MulticlassPredictor::for_each_batch(const DataSource& source, bool needs_labels,
                                         const Threads& threads,
                                         const std::function<void(const Batch&)>& visit) const {
  check_multiclass_source(source);
  LineReader lines(source.path);
  MulticlassReader reader(lines, needs_labels);
  bool has_more = true;
  while (has_more) {
    Batch batch;
    while (batch.inputs.num_values() + batch.gold.size() < kBatchFeatures &&
           (has_more = reader.read())) {
      const SvmlightExample& example = reader.example();
      model_.features.add_row(example.indices, example.values, batch.inputs);
      const std::uint32_t label = model_.classes.find(reader.class_name());
      batch.gold.push_back(label == Alphabet::kUnknown ? kNoLabel
                                                       : static_cast<std::int32_t>(label));
    }
    batch.inputs.finish(static_cast<std::uint32_t>(model_.features.size()));
    classify(threads, batch);
    visit(batch);
  }
}

void MulticlassPredictor::classify(const Threads& threads, Batch& batch) const {
  batch.predicted.resize(batch.gold.size());
  const auto classes = static_cast<int>(model_.classes.size());
  std::vector<MulticlassClassifier> classifiers(static_cast<std::size_t>(threads.count()),
                                                model_.kernel
                                                    ? MulticlassClassifier(classes, *model_.kernel)
                                                    : MulticlassClassifier(classes, model_.w));
  threads.run(std::ssize(batch.gold), [&](Index begin, Index end, int slot) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      batch.predicted[i] = classifiers[static_cast<std::size_t>(slot)].classify(batch.inputs, i);
    }
  });
}

}  // namespace

std::unique_ptr<Predictor> make_multiclass_predictor(MulticlassModel model) {
  return std::make_unique<MulticlassPredictor>(std::move(model));
}

}  // namespace gapwise::internal
