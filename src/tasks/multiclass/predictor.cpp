#include <fmt/format.h>

#include "io/fields.h"
#include "tasks/multiclass/driver.h"
#include "tasks/multiclass/problem.h"
#include "tasks/multiclass/reader.h"
#include "tasks/shared/labelled_batches.h"
#include "tasks/shared/labels.h"
#include "tasks/shared/numbered_rows.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/ratio.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

struct MulticlassBatch final : Batch {
  FeatureRows inputs;
  std::vector<std::int32_t> gold;  ///< kNoLabel: none, or one the model does not know
  std::vector<std::int32_t> predicted;

  Index size() const override { return std::ssize(gold); }
  std::size_t num_labels() const { return gold.size(); }
  /// One label or none.
  void add_labels(const LabelledExample& example, const MulticlassModel& model) {
    const std::uint32_t label =
        example.labels.empty() ? Alphabet::kUnknown : model.classes.find(example.labels[0]);
    gold.push_back(label == Alphabet::kUnknown ? kNoLabel : static_cast<std::int32_t>(label));
  }
};
using MulticlassBatches = LabelledBatches<MulticlassBatch, MulticlassModel>;

class MulticlassStream final : public LabelledStream<MulticlassBatches> {
 public:
  MulticlassStream(const MulticlassModel& model, const std::string& path, bool needs_labels)
      : LabelledStream(model), lines_(path), reader_(lines_, needs_labels) {}

  [[noreturn]] void fail_empty() const override { reader_.fail_empty(); }

 private:
  bool read_example(LabelledExample& example) override { return reader_.read(example); }

  LineReader lines_;
  MulticlassReader reader_;
};

class MulticlassBatchRows final : public NumberedRows<BatchRows> {
 public:
  explicit MulticlassBatchRows(const MulticlassModel& model) : builder_(model) {}
  std::unique_ptr<Batch> finish() override { return builder_.take(); }

 private:
  void add(const LabelledExample& example) override {
    if (example.labels.size() > 1) {
      fail(fmt::format("the example has {}; {}", counted(example.labels.size(), "label"),
                       kOneLabel));
    }
    builder_.add(example);
  }

  MulticlassBatches builder_;
};

class MulticlassScorer final : public ScorerOf<MulticlassBatch> {
 public:
  Metrics result() const override {
    return {{.name = "accuracy", .value = ratio(correct_, examples_), .is_main = true}};
  }

 private:
  void add_batch(const MulticlassBatch& batch) override {
    examples_ += batch.size();
    for (std::size_t i = 0; i < batch.gold.size(); ++i) {
      correct_ += batch.gold[i] == batch.predicted[i] ? 1 : 0;
    }
  }

  Index examples_ = 0;
  Index correct_ = 0;
};

class MulticlassPredictor final : public PredictorOf<MulticlassBatch, MulticlassModel> {
 public:
  using PredictorOf::PredictorOf;

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    check_multiclass_source(source);
    return std::make_unique<MulticlassStream>(model_, source.path, purpose == Purpose::kEvaluate);
  }
  std::unique_ptr<BatchRows> make_rows() const override {
    return std::make_unique<MulticlassBatchRows>(model_);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<MulticlassScorer>();
  }

  std::vector<WeightMatrix> weight_matrices() const override {
    if (model_.kernel) return {};
    return {{"features", model_.features.names(), model_.classes.names(), 0}};
  }
  std::vector<WeightTable> top_weights(std::size_t count) const override {
    if (model_.kernel) return {};
    const auto classes = static_cast<Index>(model_.classes.size());
    const std::vector<double> w = model_.features.unscaled(model_.w, classes);
    std::vector<WeightTable> tables;
    for (Index k = 0; k < classes; ++k) {
      tables.push_back(weight_table(
          fmt::format("label {}", model_.classes.name(static_cast<std::size_t>(k))),
          {w, k, classes, static_cast<Index>(model_.features.size())}, count, [&](Index attribute) {
            return model_.features.name(static_cast<std::size_t>(attribute));
          }));
    }
    return tables;
  }

 private:
  void label_batch(MulticlassBatch& batch, const Threads& threads) const override {
    batch.predicted.resize(batch.gold.size());
    const auto classes = static_cast<int>(model_.classes.size());
    const auto classifier = model_.kernel ? MulticlassClassifier(classes, *model_.kernel)
                                          : MulticlassClassifier(classes, model_.w);
    label_all(threads, batch.size(), classifier, [&](MulticlassClassifier& own, Index i) {
      const auto row = static_cast<std::size_t>(i);
      batch.predicted[row] = own.classify(batch.inputs, row);
    });
  }

  std::string_view class_of(const MulticlassBatch& batch, std::size_t i) const {
    return model_.classes.name(static_cast<std::size_t>(batch.predicted[i]));
  }
  void write_batch(const MulticlassBatch& batch, std::string& text) const override {
    for (std::size_t i = 0; i < batch.predicted.size(); ++i) {
      text.append(class_of(batch, i)).push_back('\n');
    }
  }
  Output output_of(const MulticlassBatch& batch, Index i) const override {
    return {.labels = {std::string(class_of(batch, static_cast<std::size_t>(i)))}, .numbers = {}};
  }
};

}  // namespace

std::unique_ptr<Predictor> make_multiclass_predictor(MulticlassModel model) {
  return std::make_unique<MulticlassPredictor>(std::move(model));
}

}  // namespace gapwise::internal
