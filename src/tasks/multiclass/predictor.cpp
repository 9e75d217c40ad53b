#include <fmt/format.h>

#include <utility>

#include "io/fields.h"
#include "tasks/multiclass/driver.h"
#include "tasks/multiclass/problem.h"
#include "tasks/multiclass/reader.h"
#include "tasks/shared/labelled_batches.h"
#include "tasks/shared/labels.h"
#include "tasks/shared/numbered_rows.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/ranking/chain_ranker.h"
#include "tasks/shared/ranking/ranking_predictor.h"
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
  explicit MulticlassScorer(const Alphabet& classes) : classes_(classes) {}

  std::size_t num_counts() const override { return kCounts; }
  Metrics metrics(std::span<const double> counts) const override {
    return {
        {.name = "accuracy", .value = ratio(counts[kCorrect], counts[kExamples]), .is_main = true}};
  }
  double errors(std::span<const double> counts) const override {
    return counts[kExamples] - counts[kCorrect];
  }

 private:
  enum Count : std::size_t { kExamples, kCorrect, kCounts };

  void count_one(const MulticlassBatch& batch, Index i, std::span<double> counts) override {
    const auto k = static_cast<std::size_t>(i);
    counts[kExamples] += 1.0;
    counts[kCorrect] += batch.gold[k] == batch.predicted[k] ? 1.0 : 0.0;
  }
  void visit_places(const MulticlassBatch& batch, Index i,
                    const std::function<void(const Place&)>& visit) const override {
    const auto k = static_cast<std::size_t>(i);
    visit({name_in(classes_, batch.gold[k]), name_in(classes_, batch.predicted[k])});
  }

  const Alphabet& classes_;
};

class MulticlassPredictor final : public RankingPredictorOf<MulticlassBatch, MulticlassModel> {
 public:
  using RankingPredictorOf::RankingPredictorOf;

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    check_multiclass_source(source);
    return std::make_unique<MulticlassStream>(model_, source.path, purpose == Purpose::kEvaluate);
  }
  std::unique_ptr<BatchRows> make_rows() const override {
    return std::make_unique<MulticlassBatchRows>(model_);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<MulticlassScorer>(model_.classes);
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
  std::vector<Ranking> rank_batch(const MulticlassBatch& batch, const RankSettings& settings,
                                  const Threads& threads) const override;
  void write_ranked_batch(const MulticlassBatch& batch, std::span<const Ranking> rankings,
                          const RankedForm& form, std::string& text) const override;
  std::vector<Belief> beliefs_in(const MulticlassBatch& batch, double temperature,
                                 const Threads& threads) const override;

  void label_batch(MulticlassBatch& batch, const Threads& threads) const override {
    batch.predicted.resize(batch.gold.size());
    label_all(threads, batch.size(), make_classifier(), [&](MulticlassClassifier& own, Index i) {
      const auto row = static_cast<std::size_t>(i);
      batch.predicted[row] = own.classify(batch.inputs, row);
    });
  }

  MulticlassClassifier make_classifier() const {
    const auto classes = static_cast<int>(model_.classes.size());
    return model_.kernel ? MulticlassClassifier(classes, *model_.kernel)
                         : MulticlassClassifier(classes, model_.w);
  }
  void add_reasons(const MulticlassBatch& batch, std::size_t row, Index count,
                   Ranking& ranking) const;

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

/// A single input is a chain of one position.
std::vector<Ranking> MulticlassPredictor::rank_batch(const MulticlassBatch& batch,
                                                     const RankSettings& settings,
                                                     const Threads& threads) const {
  if (settings.explain > 0 && model_.kernel) {
    throw OptionError("a model with a kernel has no weights to explain with; leave out \1explain");
  }
  std::vector<Ranking> rankings(batch.gold.size());
  const std::pair prototype(make_classifier(), ChainRanker(model_.classes));
  label_all(threads, batch.size(), prototype, [&](auto& workers, Index i) {
    const auto row = static_cast<std::size_t>(i);
    const std::span<const double> scores = workers.first.scores(batch.inputs, row);
    rankings[row] =
        workers.second.rank({1, static_cast<int>(scores.size()), scores.data()}, settings);
    if (settings.explain > 0) add_reasons(batch, row, settings.explain, rankings[row]);
  });
  return rankings;
}

std::vector<Belief> MulticlassPredictor::beliefs_in(const MulticlassBatch& batch,
                                                    double temperature,
                                                    const Threads& threads) const {
  std::vector<Belief> all(batch.gold.size());
  const std::pair prototype(make_classifier(), ChainRanker(model_.classes));
  label_all(threads, batch.size(), prototype, [&](auto& workers, Index i) {
    const auto row = static_cast<std::size_t>(i);
    const std::int32_t predicted = workers.first.classify(batch.inputs, row);
    const std::span<const double> scores = workers.first.scores(batch.inputs, row);
    const auto p = workers.second.probabilities({1, static_cast<int>(scores.size()), scores.data()},
                                                temperature);
    const std::int32_t gold = batch.gold[row];
    all[row] = {p[static_cast<std::size_t>(predicted)],
                gold == kNoLabel ? -1.0 : p[static_cast<std::size_t>(gold)], gold == predicted};
  });
  return all;
}

void MulticlassPredictor::add_reasons(const MulticlassBatch& batch, std::size_t row, Index count,
                                      Ranking& ranking) const {
  RankedPlace& place = ranking.places.front();
  if (place.runner_up.empty()) return;
  const std::size_t label = model_.classes.find(ranking.outputs.front().output.labels.front());
  const std::size_t other = model_.classes.find(place.runner_up);
  const FeatureRow input = batch.inputs.row(row);
  for (std::size_t f = 0; f < input.size; ++f) {
    const std::size_t a = input.attributes != nullptr ? input.attributes[f] : f;
    const double* weights = model_.w.data() + a * model_.classes.size();
    const double value = input.values != nullptr ? input.values[f] : 1.0;
    place.reasons.push_back({model_.features.name(a), (weights[label] - weights[other]) * value});
  }
  keep_reasons(place.reasons, count);
}

/// Like other predictions; with heads, rank and score before every class and a blank line behind
/// every example.
void MulticlassPredictor::write_ranked_batch(const MulticlassBatch&,
                                             std::span<const Ranking> rankings,
                                             const RankedForm& form, std::string& text) const {
  for (const Ranking& ranking : rankings) {
    for (std::size_t rank = 0; rank < ranking.outputs.size(); ++rank) {
      const RankedOutput& ranked = ranking.outputs[rank];
      if (form.has_heads()) text += fmt::format("# {} {}\n", rank + 1, ranked_number(ranked.score));
      text += ranked.output.labels.front();
      if (rank == 0 && !ranking.places.empty()) text += place_columns(ranking.places[0], form);
      text += '\n';
    }
    if (form.has_heads()) text += '\n';
  }
}

}  // namespace

std::unique_ptr<Predictor> make_multiclass_predictor(MulticlassModel model) {
  return std::make_unique<MulticlassPredictor>(std::move(model));
}

}  // namespace gapwise::internal
