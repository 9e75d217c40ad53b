#include "io/parsing_training.h"

#include <fmt/format.h>

#include <functional>

#include "io/fields.h"
#include "io/model_parts.h"
#include "io/treebank.h"

namespace gapwise {
namespace {

class ParsingTrainingSet final : public TrainingSet {
 public:
  ParsingTrainingSet(const ParsingSettings& settings, Alphabet labels, Alphabet tags,
                     std::shared_ptr<const ParsingData> data)
      : settings_(settings),
        labels_(std::move(labels)),
        tags_(std::move(tags)),
        data_(std::move(data)),
        features_(std::make_shared<const ParsingFeatures>(collect_features(
            *data_, static_cast<int>(labels_.size()), settings.hash_bits, settings.features))) {}

  void make_problem() {
    problem_ = make_parsing_problem(data_, features_, settings_.kind, settings_.loss);
  }

  const Problem& problem() const override { return *problem_; }
  Index dimension() const { return features_->dimension(); }

  std::string describe() const override {
    std::string text =
        fmt::format("{}, {}, {}, {}", counted(data_->starts.size() - 1, "sentence"),
                    counted(data_->words.size(), "word"), counted(labels_.size(), "label"),
                    counted(features_->arcs.size() + features_->labels.size(), "feature"));
    if (!settings_.kind.is_projective) return text;
    std::size_t crossing = 0;
    for (Index i = 0; i < data_->size(); ++i) {
      crossing += is_projective(data_->of(i, data_->heads)) ? 0 : 1;
    }
    if (crossing > 0) text += fmt::format(", {} with crossing arcs", crossing);
    return text;
  }

  Model make_model(Weights w) const override {
    return encode_parsing_model(settings_, labels_, tags_, *features_, w);
  }

 private:
  ParsingSettings settings_;
  Alphabet labels_;
  Alphabet tags_;
  std::shared_ptr<const ParsingData> data_;
  std::shared_ptr<const ParsingFeatures> features_;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_parsing_training_set(const DataSource& source,
                                                       ParsingSettings settings) {
  check_treebank_folds(source.folds);
  LineReader lines(source.path);
  settings.format =
      source.format.empty() ? std::string(detect_treebank_format(lines.head())) : source.format;
  TreebankPlan plan;
  plan.format = settings.format;
  plan.has_labels = settings.has_labels;
  plan.roots = settings.kind.roots;
  TreebankReader reader(lines, plan);
  while (reader.read()) {
  }
  Treebank bank = reader.take();
  Alphabet labels = reader.labels();
  sort_labels(labels, bank.data.labels, std::less<std::string_view>());
  check_treebank_size(bank, labels.size(), lines);
  auto set = std::make_unique<ParsingTrainingSet>(
      settings, std::move(labels), reader.tags(),
      std::make_shared<const ParsingData>(std::move(bank.data)));
  if (set->dimension() > kLargestDimension) {
    throw InputError(fmt::format(
        "{}: the labels and features make {} weights, more than {}; use smaller --hash-bits",
        source.path, set->dimension(), kLargestDimension));
  }
  set->make_problem();
  return set;
}

}  // namespace gapwise
