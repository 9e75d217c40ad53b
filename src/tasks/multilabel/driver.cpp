#include "tasks/multilabel/driver.h"

#include <fmt/format.h>

#include <array>

#include "io/label_weights.h"
#include "tasks/multilabel/arff.h"
#include "tasks/multilabel/reader.h"
#include "tasks/shared/svmlight_head.h"

namespace gapwise::internal {
namespace {

class MultilabelDriver final : public TaskDriver {
 public:
  MultilabelDriver()
      : TaskDriver("multilabel", "give every example any number of labels", multilabel_formats()) {}
  bool allows_no_labels() const override { return true; }

  OptionTable options() override {
    return {
        choice("loss", options_.settings.loss,
               "what wrong labels cost: their number, or their fraction of all labels"),
        choice("couplings", options_.settings.couplings,
               "weights for pairs of labels: none, or one for each pair"),
        choice("inference", options_.settings.inference,
               "what training looks for in each example: the best set of labels, or the best point "
               "of its linear relaxation, which is found fast however many labels there are"),
        option("constraints", options_.settings.constraints_file, "FILE",
               "what sets of labels keep to, in training and in prediction: labels that need or "
               "exclude others, and how many there may be (docs/formats.md)"),
        label_weights_option(options_.settings.label_weights,
                             "how many times it counts to miss a label, and in a third column to "
                             "find it where it is not"),
        flag("bias", options_.has_bias, "give every example a constant feature of value 1"),
        scale_option(options_.scale),
        option("label-xml", options_.label_xml, "FILE",
               "format arff: which attributes are labels, as the Mulan library lists them"),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source,
                                             const Threads& threads) override {
    return make_multilabel_training_set(source, options_, threads);
  }

  std::unique_ptr<TrainingRows> make_rows() override {
    if (!options_.label_xml.empty()) {
      throw OptionError("a list of labels in XML is for ARFF files; leave it out");
    }
    return make_multilabel_training_rows(options_);
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    return make_multilabel_predictor(decode_multilabel_model(std::move(model)));
  }

  /// Three labels that a noisy feature each tells, a fourth that goes with two of them, and a fifth
  /// that keeps away from the first.
  std::string sample(Index examples, Rng& rng) const override {
    constexpr std::size_t kLabels = 5;
    std::string text;
    for (Index i = 0; i < examples; ++i) {
      std::array<bool, kLabels> on{};
      for (std::size_t l = 0; l < 3; ++l) on[l] = rng.uniform() < 0.4;
      on[3] = on[1] && on[2] ? rng.uniform() < 0.9 : rng.uniform() < 0.1;
      on[4] = !on[0] && rng.uniform() < 0.7;
      std::string labels;
      for (std::size_t l = 0; l < kLabels; ++l) {
        if (on[l]) labels += fmt::format("{}{}", labels.empty() ? "" : ",", l + 1);
      }
      text += labels;
      for (std::size_t f = 0; f < kLabels; ++f) {
        text += fmt::format(" {}:{:.3f}", f + 1, (on[f] ? 1.0 : 0.0) + 1.6 * rng.uniform() - 0.8);
      }
      text += "\n";
    }
    return text;
  }

  bool looks_familiar(std::string_view head) const override {
    return looks_like_arff(head) || labels_of_svmlight(head) == SvmlightLabels::kLists;
  }

 private:
  MultilabelTrainingOptions options_;
};

}  // namespace

GAPWISE_TASK_DRIVER(multilabel, MultilabelDriver)

}  // namespace gapwise::internal
