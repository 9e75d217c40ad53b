#include <fmt/format.h>

#include <functional>
#include <set>

#include "io/fields.h"
#include "tasks/parsing/driver.h"
#include "tasks/parsing/tag_features.h"
#include "tasks/parsing/treebank.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

/// The tag pairs of all arcs.
std::vector<TagPair> tag_pairs(const Treebank& bank) {
  std::set<TagPair> pairs;
  for (Index i = 0; i < bank.data.size(); ++i) {
    const auto heads = bank.data.of(i, bank.data.heads);
    const auto tags = bank.data.of(i, bank.tags);
    for (std::size_t k = 0; k < heads.size(); ++k) {
      const int h = heads[k];
      const Index head_tag = h == 0 ? 0 : Index{tags[static_cast<std::size_t>(h - 1)]} + 1;
      pairs.insert({head_tag, tags[k], distance_place(h, static_cast<int>(k) + 1)});
    }
  }
  return {pairs.begin(), pairs.end()};
}

/// InputError if a true tree has an arc that is forbidden.
void check_rules(const Treebank& bank, const ArcRules& rules, const std::string& file,
                 const std::string& source) {
  const ParsingData& data = bank.data;
  for (Index i = 0; i < data.size(); ++i) {
    const int m =
        rules.first_break(data.of(i, data.words), data.of(i, data.heads), data.of(i, data.labels));
    if (m == 0) continue;
    throw InputError(
        fmt::format("{}: sentence {}, which begins at line {}: \1constraints {} forbids the arc "
                    "from {} to word "
                    "{}; correct the tree or the constraints",
                    source, i + 1, bank.lines[static_cast<std::size_t>(i)], file,
                    data.of(i, data.heads)[static_cast<std::size_t>(m) - 1], m));
  }
}

class ParsingTrainingSet final : public TrainingSet {
 public:
  ParsingTrainingSet(const ParsingSettings& settings, ParsingNames names,
                     std::shared_ptr<const ParsingData> data)
      : settings_(settings),
        names_(std::move(names)),
        data_(std::move(data)),
        features_(std::make_shared<const ParsingFeatures>(
            collect_features(*data_, static_cast<int>(names_.labels.size()), settings.hash_bits,
                             settings.features))) {}

  void make_problem() {
    problem_ = make_parsing_problem(data_, features_, settings_.kind, settings_.loss);
  }

  const Problem& problem() const override { return *problem_; }
  Index dimension() const { return features_->dimension(); }

  std::string describe() const override {
    std::string text =
        fmt::format("{}, {}, {}, {}", counted(data_->starts.size() - 1, "sentence"),
                    counted(data_->words.size(), "word"), counted(names_.labels.size(), "label"),
                    counted(features_->arcs.size() + features_->labels.size(), "feature"));
    if (!settings_.kind.is_projective) return text;
    std::size_t crossing = 0;
    for (Index i = 0; i < data_->size(); ++i) {
      crossing += is_projective(data_->of(i, data_->heads)) ? 0 : 1;
    }
    if (crossing > 0) text += fmt::format(", {} with crossing arcs", crossing);
    return text;
  }

  ModelRecord make_model(Weights w, Keep keep) const override {
    return encode_parsing_model(settings_, names_, *features_, w, keep);
  }

 private:
  ParsingSettings settings_;
  ParsingNames names_;
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
  if (bank.data.size() == 0) reader.fail_empty();
  ParsingNames names{reader.labels(), reader.tags(), tag_pairs(bank)};
  sort_labels(names.labels, bank.data.labels, std::less<std::string_view>());
  check_treebank_size(bank, names.labels.size(), lines);
  if (!settings.constraints_file.empty()) {
    settings.kind.rules =
        std::make_shared<const ArcRules>(ArcRules::read(settings.constraints_file, names.labels));
    check_rules(bank, *settings.kind.rules, settings.constraints_file, lines.name());
  }
  auto set = std::make_unique<ParsingTrainingSet>(
      settings, std::move(names), std::make_shared<const ParsingData>(std::move(bank.data)));
  if (set->dimension() > kLargestDimension) {
    throw InputError(fmt::format(
        "{}: the labels and features make {} weights, more than {}; use smaller \1hash-bits",
        source.path, set->dimension(), kLargestDimension));
  }
  set->make_problem();
  return set;
}

}  // namespace gapwise::internal
