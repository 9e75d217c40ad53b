#include "tasks/multilabel/training.h"

#include <fmt/format.h>

#include "io/fields.h"
#include "tasks/multilabel/mulan_labels.h"
#include "tasks/multilabel/reader.h"
#include "tasks/shared/class_names.h"
#include "tasks/shared/labels.h"

namespace gapwise::internal {
namespace {

/// Examples as they stand in the file: attributes are indices, labels in order of appearance.
struct RawSets {
  FeatureRows rows;
  std::vector<std::int32_t> labels;  ///< of all examples, one after the other
  std::vector<std::size_t> ends;     ///< where those of each example end
  Alphabet names;
  std::vector<std::uint32_t> indices;  ///< those that occur, in increasing order
};

void add_labels(const MultilabelExample& example, const LineReader& lines, RawSets& raw) {
  for (const std::string& label : example.labels) {
    raw.labels.push_back(static_cast<std::int32_t>(raw.names.add(label)));
    if (raw.names.size() > kMostLabels) {
      lines.fail(
          fmt::format("label '{}' is one more than the {} different labels allowed; is this "
                      "really a label?",
                      label, kMostLabels));
    }
  }
  raw.ends.push_back(raw.labels.size());
}

RawSets read_examples(const std::string& format, LineReader& lines, MultilabelReader& reader) {
  RawSets raw;
  const std::vector<std::string> declared = reader.labels();
  raw.names = Alphabet::from_names(declared);
  NumberSet indices;
  MultilabelExample example;
  while (reader.read(example)) {
    for (std::size_t f = 0; f < example.indices.size(); ++f) {
      raw.rows.add(example.indices[f], example.values[f]);
    }
    raw.rows.end_row();
    indices.add(example.indices);
    add_labels(example, lines, raw);
  }
  if (raw.ends.empty()) fail_without_examples(format, lines);
  if (raw.names.size() == 0) {
    throw InputError(
        fmt::format("{}: no example has a label; there is nothing to learn", lines.name()));
  }
  if (declared.empty()) sort_labels(raw.names, raw.labels, is_class_before);
  raw.indices = indices.take();
  return raw;
}

std::vector<std::string> read_labels_of(const std::string& format, const std::string& label_xml) {
  if (format == "arff" && label_xml.empty()) {
    throw OptionError(
        "format arff needs --label-xml FILE, which tells the attributes that are labels");
  }
  if (format != "arff" && !label_xml.empty()) {
    throw OptionError(fmt::format(
        "--label-xml is for format arff; labels of format {} stand in front of each line", format));
  }
  return label_xml.empty() ? std::vector<std::string>{} : read_label_names(label_xml);
}

class MultilabelTrainingSet final : public TrainingSet {
 public:
  MultilabelTrainingSet(const DataSource& source, const MultilabelTrainingOptions& options)
      : settings_(options.settings) {
    LineReader lines(source.path);
    MultilabelPlan plan;
    plan.format = settings_.format = multilabel_format(source, lines);
    plan.labels = read_labels_of(plan.format, options.label_xml);
    const auto reader = make_multilabel_reader(lines, plan);
    RawSets raw = read_examples(plan.format, lines, *reader);
    names_.labels = std::move(raw.names);
    names_.features.has_bias = options.has_bias;
    names_.features.indices = std::move(raw.indices);
    if (settings_.format == "arff") {
      const std::vector<std::string> all = reader->features();
      for (const std::uint32_t index : names_.features.indices) {
        names_.feature_names.push_back(all[index - 1]);
      }
    }
    multilabel_layout(names_, settings_.couplings, lines.name());
    make_problem(raw);
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format(
        "{}, {}, {}", counted(static_cast<std::size_t>(problem_->num_blocks()), "example"),
        counted(names_.labels.size(), "label"), counted(names_.features.size(), "attribute"));
  }

  ModelRecord make_model(Weights w) const override {
    return encode_multilabel_model(settings_, names_, w);
  }
  ModelRecord make_kernel_model(const KernelExpansion& expansion) const override {
    return encode_multilabel_kernel_model(settings_, names_, expansion, data_->inputs);
  }

 private:
  void make_problem(const RawSets& raw) {
    auto data = std::make_shared<MultilabelData>();
    data->inputs = names_.features.number(raw.rows);
    data->attributes = static_cast<Index>(names_.features.size());
    data->labels = static_cast<int>(names_.labels.size());
    data->sets.assign(raw.ends.size() * names_.labels.size(), 0);
    std::size_t k = 0;
    for (std::size_t i = 0; i < raw.ends.size(); ++i) {
      for (; k < raw.ends[i]; ++k) {
        data->sets[i * names_.labels.size() + static_cast<std::size_t>(raw.labels[k])] = 1;
      }
    }
    data_ = std::move(data);
    problem_ = make_multilabel_problem(data_, settings_.couplings, settings_.loss);
  }

  MultilabelSettings settings_;
  MultilabelNames names_;
  std::shared_ptr<const MultilabelData> data_;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_multilabel_training_set(
    const DataSource& source, const MultilabelTrainingOptions& options) {
  return std::make_unique<MultilabelTrainingSet>(source, options);
}

}  // namespace gapwise::internal
