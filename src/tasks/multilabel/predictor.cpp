#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tasks/multilabel/arff.h"
#include "tasks/multilabel/driver.h"
#include "tasks/multilabel/metrics.h"
#include "tasks/multilabel/reader.h"
#include "tasks/multilabel/set_ranking.h"
#include "tasks/shared/labelled_batches.h"
#include "tasks/shared/numbered_rows.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/ranking/chain_ranker.h"
#include "tasks/shared/ranking/ranking_predictor.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

struct MultilabelBatch final : Batch {
  FeatureRows inputs;
  std::vector<std::uint8_t> gold;  ///< set after set, 1 for each label that is on
  std::vector<std::uint8_t> predicted;
  std::vector<std::uint8_t> is_proven;  ///< by example: no set scores more than the predicted one
  std::vector<Index> unknown;           ///< gold labels that the model does not know, by example

  Index size() const override { return std::ssize(unknown); }
  std::size_t num_labels() const { return gold.size() + unknown.size(); }
  void add_labels(const LabelledExample& example, const MultilabelNames& names) {
    const std::size_t begin = gold.size();
    gold.resize(begin + names.labels.size(), 0);
    unknown.push_back(0);
    for (const std::string& name : example.labels) {
      const std::uint32_t l = names.labels.find(name);
      if (l == Alphabet::kUnknown) {
        ++unknown.back();
      } else {
        gold[begin + l] = 1;
      }
    }
  }
};
using MultilabelBatches = LabelledBatches<MultilabelBatch, MultilabelNames>;

class MultilabelStream final : public LabelledStream<MultilabelBatches> {
 public:
  MultilabelStream(const MultilabelModel& model, const DataSource& source, bool needs_labels)
      : LabelledStream(model.names), lines_(source.path) {
    MultilabelPlan plan;
    plan.format = format_ = multilabel_format(
        {source.path, source.format.empty() ? model.settings.format : source.format, source.folds},
        lines_);
    plan.labels = model.names.labels.names();
    plan.feature_names = model.names.feature_names;
    plan.feature_indices = model.names.features.indices;
    plan.needs_labels = needs_labels;
    reader_ = make_multilabel_reader(lines_, plan);
  }

  [[noreturn]] void fail_empty() const override { fail_without_examples(format_, lines_); }

 private:
  bool read_example(LabelledExample& example) override { return reader_->read(example); }

  LineReader lines_;
  std::string format_;
  std::unique_ptr<MultilabelReader> reader_;
};

class MultilabelBatchRows final : public NumberedRows<BatchRows> {
 public:
  explicit MultilabelBatchRows(const MultilabelNames& names) : builder_(names) {}
  std::unique_ptr<Batch> finish() override { return builder_.take(); }

 private:
  void add(const LabelledExample& example) override { builder_.add(example); }

  MultilabelBatches builder_;
};

class MultilabelScorer final : public ScorerOf<MultilabelBatch> {
 public:
  explicit MultilabelScorer(const Alphabet& labels) : labels_(labels), metrics_(labels.size()) {}

  std::size_t num_counts() const override { return metrics_.num_counts(); }
  Metrics metrics(std::span<const double> counts) const override {
    return metrics_.metrics(counts);
  }
  double errors(std::span<const double> counts) const override { return metrics_.errors(counts); }

 private:
  void count_one(const MultilabelBatch& batch, Index i, std::span<double> counts) override {
    const auto k = static_cast<std::size_t>(i);
    metrics_.count(row(batch.gold, k), row(batch.predicted, k), batch.unknown[k],
                   batch.is_proven[k] != 0, counts);
  }
  /// Labels that are right, said or both.
  void visit_places(const MultilabelBatch& batch, Index i,
                    const std::function<void(const Place&)>& visit) const override {
    const auto gold = row(batch.gold, static_cast<std::size_t>(i));
    const auto predicted = row(batch.predicted, static_cast<std::size_t>(i));
    for (std::size_t l = 0; l < labels_.size(); ++l) {
      const std::string_view name = labels_.name(l);
      if (gold[l] == 0 && predicted[l] == 0) continue;
      visit({gold[l] != 0 ? name : "", predicted[l] != 0 ? name : ""});
    }
  }
  std::span<const std::uint8_t> row(const std::vector<std::uint8_t>& sets, std::size_t i) const {
    return std::span(sets).subspan(i * labels_.size(), labels_.size());
  }

  const Alphabet& labels_;
  MultilabelMetrics metrics_;
};

class MultilabelPredictor final : public RankingPredictorOf<MultilabelBatch, MultilabelModel> {
 public:
  explicit MultilabelPredictor(MultilabelModel model)
      : RankingPredictorOf(std::move(model)), labels_(model_.names.labels.size()) {}

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    return std::make_unique<MultilabelStream>(model_, source, purpose == Purpose::kEvaluate);
  }
  std::unique_ptr<BatchRows> make_rows() const override {
    return std::make_unique<MultilabelBatchRows>(model_.names);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<MultilabelScorer>(model_.names.labels);
  }

  std::vector<WeightMatrix> weight_matrices() const override {
    if (model_.kernel) return {};
    std::vector<std::string> features;
    for (std::size_t a = 0; a < model_.names.features.size(); ++a) {
      features.push_back(model_.names.feature(a));
    }
    return {{"features", std::move(features), model_.names.labels.names(), 0}};
  }
  std::vector<WeightTable> top_weights(std::size_t count) const override {
    std::vector<WeightTable> tables;
    const auto labels = static_cast<Index>(labels_);
    const std::vector<double> w =
        model_.kernel ? model_.w : model_.names.features.unscaled(model_.w, labels);
    for (Index l = 0; l < labels && !model_.kernel; ++l) {
      tables.push_back(weight_table("label " + name_of_label(static_cast<std::size_t>(l)),
                                    {w, l, labels, model_.layout.attributes}, count, [&](Index a) {
                                      return model_.names.feature(static_cast<std::size_t>(a));
                                    }));
    }
    if (model_.layout.num_pairs() == 0) return tables;
    std::vector<std::string> pairs;
    for (std::size_t a = 0; a < labels_; ++a) {
      for (std::size_t b = a + 1; b < labels_; ++b)
        pairs.push_back(name_of_label(a) + " + " + name_of_label(b));
    }
    tables.push_back(
        weight_table("pairs", {model_.w, model_.layout.pairs(), 1, model_.layout.num_pairs()},
                     count, [&](Index p) { return pairs[static_cast<std::size_t>(p)]; }));
    return tables;
  }

 private:
  void label_batch(MultilabelBatch& batch, const Threads& threads) const override {
    batch.predicted.resize(batch.gold.size());
    batch.is_proven.resize(batch.unknown.size());
    const MultilabelClassifier classifier(model_.layout, model_.w, model_.settings.constraints,
                                          model_.kernel);
    label_all(threads, batch.size(), classifier, [&](MultilabelClassifier& own, Index i) {
      const auto row = static_cast<std::size_t>(i);
      const auto on = own.classify(batch.inputs, row);
      std::copy(on.begin(), on.end(),
                batch.predicted.begin() + static_cast<std::ptrdiff_t>(row * labels_));
      batch.is_proven[row] = own.is_proven() ? 1 : 0;
    });
  }

  std::vector<Ranking> rank_batch(const MultilabelBatch& batch, const RankSettings& settings,
                                  const Threads& threads) const override {
    std::vector<Ranking> rankings(static_cast<std::size_t>(batch.size()));
    label_all(threads, batch.size(), SetRanker(model_), [&](SetRanker& own, Index i) {
      const auto row = static_cast<std::size_t>(i);
      rankings[row] = own.rank(batch.inputs, row, settings);
    });
    return rankings;
  }
  /// Like other predictions; with heads, rank and score before every set and a blank line behind
  /// every example.
  void write_ranked_batch(const MultilabelBatch&, std::span<const Ranking> rankings,
                          const RankedForm& form, std::string& text) const override {
    for (const Ranking& ranking : rankings) {
      for (std::size_t rank = 0; rank < ranking.outputs.size(); ++rank) {
        const RankedOutput& ranked = ranking.outputs[rank];
        if (form.has_heads()) {
          text += fmt::format("# {} {}\n", rank + 1, ranked_number(ranked.score));
        }
        append_set(ranked.output.labels, text);
        if (rank == 0) text += set_columns(ranking, form);
        text += '\n';
      }
      if (form.has_heads()) text += '\n';
    }
  }
  /// Of each label of each example, on or off.
  std::vector<Belief> beliefs_in(const MultilabelBatch& batch, double temperature,
                                 const Threads& threads) const override {
    std::vector<Belief> all(batch.gold.size());
    const MultilabelClassifier classifier(model_.layout, model_.w, model_.settings.constraints,
                                          model_.kernel);
    label_all(threads, batch.size(), std::pair(classifier, SetRanker(model_)),
              [&](auto& workers, Index i) {
                const auto row = static_cast<std::size_t>(i);
                const auto on = workers.first.classify(batch.inputs, row);
                const auto p = workers.second.probabilities(batch.inputs, row, temperature);
                for (std::size_t l = 0; l < labels_; ++l) {
                  const auto of = [&](std::uint8_t is_on) {
                    return is_on != 0 ? p[l] : 1.0 - p[l];
                  };
                  const std::uint8_t gold = batch.gold[row * labels_ + l];
                  all[row * labels_ + l] = {of(on[l]), of(gold), gold == on[l]};
                }
              });
    return all;
  }

  /// Labels separated by commas.
  static void append_set(std::span<const std::string> labels, std::string& text) {
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (k > 0) text.push_back(',');
      text.append(arff_word(labels[k]));
    }
  }
  /// Each example on a line.
  void write_batch(const MultilabelBatch& batch, std::string& text) const override {
    for (Index i = 0; i < batch.size(); ++i) {
      append_set(output_of(batch, i).labels, text);
      text.push_back('\n');
    }
  }
  Output output_of(const MultilabelBatch& batch, Index i) const override {
    Output output;
    const auto on = std::span(batch.predicted).subspan(static_cast<std::size_t>(i) * labels_);
    for (std::size_t l = 0; l < labels_; ++l) {
      if (on[l] != 0) output.labels.emplace_back(name_of_label(l));
    }
    return output;
  }

  std::string name_of_label(std::size_t l) const {
    return std::string(model_.names.labels.name(l));
  }

  std::size_t labels_;
};

}  // namespace

std::unique_ptr<Predictor> make_multilabel_predictor(MultilabelModel model) {
  return std::make_unique<MultilabelPredictor>(std::move(model));
}

}  // namespace gapwise::internal
