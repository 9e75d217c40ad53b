#include "tasks/multiclass/training.h"

#include <fmt/format.h>

#include "io/fields.h"
#include "tasks/multiclass/costs.h"
#include "tasks/multiclass/model.h"
#include "tasks/multiclass/problem.h"
#include "tasks/multiclass/reader.h"
#include "tasks/shared/class_names.h"
#include "tasks/shared/labels.h"

namespace gapwise::internal {
namespace {

/// Examples as they stand in the file: attributes are indices, classes in order of appearance.
struct RawExamples {
  FeatureRows rows;
  std::vector<std::int32_t> labels;
  Alphabet classes;
  std::vector<std::uint32_t> indices;  ///< those that occur, in increasing order
};

RawExamples read_examples(LineReader& lines) {
  RawExamples raw;
  NumberSet indices;
  MulticlassReader reader(lines, true);
  while (reader.read()) {
    const SvmlightExample& example = reader.example();
    for (std::size_t f = 0; f < example.indices.size(); ++f) {
      raw.rows.add(example.indices[f], example.values[f]);
    }
    raw.rows.end_row();
    indices.add(example.indices);
    raw.labels.push_back(static_cast<std::int32_t>(raw.classes.add(reader.class_name())));
    if (raw.classes.size() > kMostLabels) {
      lines.fail(
          fmt::format("label '{}' is one more than the {} different labels allowed; is "
                      "this really the label?",
                      reader.class_name(), kMostLabels));
    }
  }
  if (raw.classes.size() < 2) {
    throw InputError(
        fmt::format("{}: all examples have the label '{}'; give examples of at least "
                    "two classes",
                    lines.name(), raw.classes.name(0)));
  }
  raw.indices = indices.take();
  return raw;
}

class MulticlassTrainingSet final : public TrainingSet {
 public:
  MulticlassTrainingSet(const DataSource& source, const MulticlassSettings& settings)
      : loss_(settings.cost_matrix.empty() ? "zero-one" : "cost-matrix") {
    LineReader lines(source.path);
    RawExamples raw = read_examples(lines);
    features_.has_bias = settings.has_bias;
    features_.indices = std::move(raw.indices);
    multiclass_dimension(features_.size(), raw.classes.size(), lines.name());

    auto data = std::make_shared<MulticlassData>();
    data->inputs = features_.number(raw.rows);
    data->labels = std::move(raw.labels);
    sort_labels(raw.classes, data->labels, is_class_before);
    classes_ = std::move(raw.classes);
    data->attributes = static_cast<Index>(features_.size());
    data->classes = static_cast<int>(classes_.size());
    if (!settings.cost_matrix.empty()) data->costs = read_costs(settings.cost_matrix, classes_);
    data_ = std::move(data);
    problem_ = make_multiclass_problem(data_);
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format("{}, {}, {}",
                       counted(static_cast<std::size_t>(problem_->num_blocks()), "example"),
                       counted(classes_.size(), "label"), counted(features_.size(), "attribute"));
  }

  ModelRecord make_model(Weights w) const override {
    return encode_multiclass_model(loss_, classes_, features_, w);
  }
  ModelRecord make_kernel_model(const KernelExpansion& expansion) const override {
    return encode_multiclass_kernel_model(loss_, classes_, features_, expansion, data_->inputs);
  }

 private:
  std::string loss_;
  Alphabet classes_;
  FeatureNumbers features_;
  std::shared_ptr<const MulticlassData> data_;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_multiclass_training_set(const DataSource& source,
                                                          const MulticlassSettings& settings) {
  check_multiclass_source(source);
  return std::make_unique<MulticlassTrainingSet>(source, settings);
}

}  // namespace gapwise::internal
