#include <fmt/format.h>

#include "io/fields.h"
#include "io/label_weights.h"
#include "tasks/multiclass/costs.h"
#include "tasks/multiclass/driver.h"
#include "tasks/multiclass/problem.h"
#include "tasks/multiclass/reader.h"
#include "tasks/shared/labels.h"
#include "tasks/shared/numbered_rows.h"

namespace gapwise::internal {
namespace {

LabelledExamples read_examples(LineReader& lines, const Threads& threads) {
  LabelledExamples examples;
  const auto make_reader = [](LineReader& block) {
    return std::make_unique<MulticlassReader>(block, true);
  };
  read_labelled(lines, threads, make_reader, examples);
  if (examples.size() == 0) MulticlassReader(lines, true).fail_empty();
  return examples;
}

std::vector<Index> class_counts(const MulticlassData& data) {
  std::vector<Index> counts(static_cast<std::size_t>(data.classes), 0);
  for (const std::int32_t label : data.labels) ++counts[static_cast<std::size_t>(label)];
  return counts;
}

/// Multiplies what it costs to miss each class by its weight, if there are weights.
void weigh_costs(const std::vector<double>& weights, MulticlassData& data) {
  if (weights.empty()) return;
  const std::size_t classes = weights.size();
  if (data.costs.empty()) {
    data.costs.assign(classes * classes, 1.0);
    for (std::size_t k = 0; k < classes; ++k) data.costs[k * (classes + 1)] = 0.0;
  }
  for (std::size_t at = 0; at < data.costs.size(); ++at) data.costs[at] *= weights[at / classes];
}

class MulticlassTrainingSet final : public TrainingSet {
 public:
  /// Examples of one label each; `source` is for messages.
  MulticlassTrainingSet(LabelledExamples examples, const MulticlassSettings& settings,
                        const std::string& source)
      : loss_(settings.cost_matrix.empty() ? "zero-one" : "cost-matrix"),
        label_weights_(settings.label_weights) {
    if (examples.names.size() < 2) {
      throw InputError(
          fmt::format("{}: all examples have the label '{}'; give examples of at least two classes",
                      source, examples.names.name(0)));
    }
    features_.has_bias = settings.has_bias;
    features_.indices = examples.indices.take();
    features_.learn_factors(settings.scale, examples.rows);
    multiclass_dimension(features_.size(), examples.names.size(), source);

    auto data = std::make_shared<MulticlassData>();
    data->inputs = features_.number(examples.rows);
    data->labels = std::move(examples.labels);
    sort_labels(examples.names, data->labels, is_class_before);
    classes_ = std::move(examples.names);
    data->attributes = static_cast<Index>(features_.size());
    data->classes = static_cast<int>(classes_.size());
    if (!settings.cost_matrix.empty()) data->costs = read_costs(settings.cost_matrix, classes_);
    weigh_costs(label_weights(settings.label_weights, classes_, class_counts(*data)), *data);
    data_ = std::move(data);
    problem_ = make_multiclass_problem(data_);
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format("{}, {}, {}",
                       counted(static_cast<std::size_t>(problem_->num_blocks()), "example"),
                       counted(classes_.size(), "label"), counted(features_.size(), "attribute")) +
           size_notice(features_, data_->inputs);
  }

  ModelRecord make_model(Weights w, Keep keep) const override {
    return with_label_weights(encode_multiclass_model(loss_, classes_, features_, w, keep));
  }
  ModelRecord make_kernel_model(const KernelExpansion& expansion, Keep) const override {
    return with_label_weights(
        encode_multiclass_kernel_model(loss_, classes_, features_, expansion, data_->inputs));
  }

 private:
  ModelRecord with_label_weights(ModelRecord model) const {
    note_label_weights(label_weights_, model);
    return model;
  }

  std::string loss_;
  std::string label_weights_;  ///< the rule
  Alphabet classes_;
  FeatureNumbers features_;
  std::shared_ptr<const MulticlassData> data_;
  std::unique_ptr<Problem> problem_;
};

class MulticlassTrainingRows final : public NumberedRows<TrainingRows> {
 public:
  explicit MulticlassTrainingRows(const MulticlassSettings& settings) : settings_(settings) {}

  std::unique_ptr<TrainingSet> finish() override {
    check_not_empty();
    return std::make_unique<MulticlassTrainingSet>(std::move(examples_), settings_,
                                                   "examples in memory");
  }

 private:
  void add(const LabelledExample& example) override {
    if (example.labels.size() != 1) {
      fail(fmt::format("the example has {}; {}", counted(example.labels.size(), "label"),
                       kOneLabel));
    }
    examples_.add(example, [this](const std::string& what) { fail(what); });
  }

  MulticlassSettings settings_;
  LabelledExamples examples_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_multiclass_training_set(const DataSource& source,
                                                          const MulticlassSettings& settings,
                                                          const Threads& threads) {
  check_multiclass_source(source);
  LineReader lines(source.path);
  return std::make_unique<MulticlassTrainingSet>(read_examples(lines, threads), settings,
                                                 lines.name());
}

std::unique_ptr<TrainingRows> make_multiclass_training_rows(const MulticlassSettings& settings) {
  return std::make_unique<MulticlassTrainingRows>(settings);
}

}  // namespace gapwise::internal
