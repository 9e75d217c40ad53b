#include <fmt/format.h>

#include "io/fields.h"
#include "io/label_weights.h"
#include "tasks/multilabel/driver.h"
#include "tasks/multilabel/mulan_labels.h"
#include "tasks/multilabel/reader.h"
#include "tasks/shared/labels.h"
#include "tasks/shared/numbered_rows.h"

namespace gapwise::internal {
namespace {

/// Examples with what they are made of.
struct NamedExamples {
  LabelledExamples examples;
  bool has_order = false;                  ///< labels were declared, hence keep their order
  std::vector<std::string> feature_names;  ///< of index 1, 2, ..., if features have names
};

NamedExamples read_examples(const MultilabelPlan& plan, LineReader& lines, const Threads& threads) {
  NamedExamples named;
  LabelledExamples& examples = named.examples;
  if (plan.format == "svmlight") {
    read_labelled(
        lines, threads, [&](LineReader& block) { return make_multilabel_reader(block, plan); },
        examples);
  } else {
    const auto reader = make_multilabel_reader(lines, plan);
    const std::vector<std::string> declared = reader->labels();
    named.has_order = !declared.empty();
    named.feature_names = reader->features();
    examples.names = Alphabet::from_names(declared);
    LabelledExample example;
    while (reader->read(example)) {
      examples.add(example, [&](const std::string& what) { lines.fail(what); });
    }
  }
  if (examples.size() == 0) fail_without_examples(plan.format, lines);
  return named;
}

std::vector<std::string> read_labels_of(const std::string& format, const std::string& label_xml) {
  if (format == "arff" && label_xml.empty()) {
    throw OptionError(
        "format arff needs \1label-xml FILE, which tells the attributes that are labels");
  }
  if (format != "arff" && !label_xml.empty()) {
    throw OptionError(fmt::format(
        "\1label-xml is for format arff; labels of format {} stand in front of each line", format));
  }
  return label_xml.empty() ? std::vector<std::string>{} : read_label_names(label_xml);
}

class MultilabelTrainingSet final : public TrainingSet {
 public:
  /// `source` is for messages.
  MultilabelTrainingSet(NamedExamples named, MultilabelSettings settings,
                        const MultilabelTrainingOptions& options, const std::string& source)
      : settings_(std::move(settings)) {
    LabelledExamples& examples = named.examples;
    if (examples.names.size() == 0) {
      throw InputError(
          fmt::format("{}: no example has a label; there is nothing to learn", source));
    }
    if (!named.has_order) sort_labels(examples.names, examples.labels, is_class_before);
    names_.labels = std::move(examples.names);
    names_.features.has_bias = options.has_bias;
    names_.features.indices = examples.indices.take();
    names_.features.learn_factors(options.scale, examples.rows);
    if (settings_.format == "arff") {
      for (const std::uint32_t index : names_.features.indices) {
        names_.feature_names.push_back(named.feature_names[index - 1]);
      }
    }
    multilabel_layout(names_, settings_.couplings, source);
    make_problem(examples);
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format("{}, {}, {}",
                       counted(static_cast<std::size_t>(problem_->num_blocks()), "example"),
                       counted(names_.labels.size(), "label"),
                       counted(names_.features.size(), "attribute")) +
           size_notice(names_.features, data_->inputs) + relaxation_notice();
  }

  ModelRecord make_model(Weights w, Keep keep) const override {
    return encode_multilabel_model(settings_, names_, w, keep);
  }
  ModelRecord make_kernel_model(const KernelExpansion& expansion, Keep) const override {
    return encode_multilabel_kernel_model(settings_, names_, expansion, data_->inputs);
  }

 private:
  /// Said where the best set of labels is dear to find, and its relaxation is not.
  std::string relaxation_notice() const {
    constexpr std::size_t kManyLabels = 100;
    const bool is_dear = settings_.couplings == Couplings::kBias && !settings_.constraints &&
                         settings_.inference == Inference::kExact &&
                         names_.labels.size() >= kManyLabels;
    if (!is_dear) return {};
    return "; with weights for so many pairs of labels the relaxation trains much faster (option "
           "inference)";
  }

  void make_problem(const LabelledExamples& examples) {
    auto data = std::make_shared<MultilabelData>();
    data->inputs = names_.features.number(examples.rows);
    data->attributes = static_cast<Index>(names_.features.size());
    data->labels = static_cast<int>(names_.labels.size());
    data->sets.assign(examples.ends.size() * names_.labels.size(), 0);
    std::size_t k = 0;
    for (std::size_t i = 0; i < examples.ends.size(); ++i) {
      for (; k < examples.ends[i]; ++k) {
        data->sets[i * names_.labels.size() + static_cast<std::size_t>(examples.labels[k])] = 1;
      }
    }
    weigh_labels(*data);
    if (!settings_.constraints_file.empty()) {
      settings_.constraints = std::make_shared<const SetConstraints>(
          read_set_constraints(settings_.constraints_file, names_.labels));
      if (settings_.inference == Inference::kLp) {
        throw OptionError(
            "constraints are kept by exact inference, which a relaxation is not; leave out "
            "\1inference or \1constraints");
      }
    }
    data->constraints = settings_.constraints;
    data_ = std::move(data);
    problem_ = make_multilabel_problem(data_, settings_.couplings, settings_.loss);
    if (settings_.inference == Inference::kLp) problem_ = make_relaxed_problem(std::move(problem_));
  }

  void weigh_labels(MultilabelData& data) const {
    std::vector<Index> counts(names_.labels.size(), 0);
    for (std::size_t at = 0; at < data.sets.size(); ++at)
      counts[at % counts.size()] += data.sets[at];
    PresenceCosts costs =
        presence_costs(settings_.label_weights, names_.labels, counts, data.size());
    data.missed = std::move(costs.missed);
    data.invented = std::move(costs.invented);
  }

  MultilabelSettings settings_;
  MultilabelNames names_;
  std::shared_ptr<const MultilabelData> data_;
  std::unique_ptr<Problem> problem_;
};

class MultilabelTrainingRows final : public NumberedRows<TrainingRows> {
 public:
  explicit MultilabelTrainingRows(const MultilabelTrainingOptions& options) : options_(options) {
    options_.settings.format = "svmlight";  // which says the same in a file
  }

  std::unique_ptr<TrainingSet> finish() override {
    check_not_empty();
    return std::make_unique<MultilabelTrainingSet>(NamedExamples{std::move(examples_), false, {}},
                                                   options_.settings, options_,
                                                   "examples in memory");
  }

 private:
  void add(const LabelledExample& example) override {
    examples_.add(example, [this](const std::string& what) { fail(what); });
  }

  MultilabelTrainingOptions options_;
  LabelledExamples examples_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_multilabel_training_set(const DataSource& source,
                                                          const MultilabelTrainingOptions& options,
                                                          const Threads& threads) {
  LineReader lines(source.path);
  MultilabelSettings settings = options.settings;
  MultilabelPlan plan;
  plan.format = settings.format = multilabel_format(source, lines);
  plan.labels = read_labels_of(plan.format, options.label_xml);
  return std::make_unique<MultilabelTrainingSet>(read_examples(plan, lines, threads),
                                                 std::move(settings), options, lines.name());
}

std::unique_ptr<TrainingRows> make_multilabel_training_rows(
    const MultilabelTrainingOptions& options) {
  return std::make_unique<MultilabelTrainingRows>(options);
}

}  // namespace gapwise::internal
