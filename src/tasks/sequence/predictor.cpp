#include "tasks/sequence/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "tasks/sequence/metrics.h"
#include "tasks/sequence/reader.h"
#include "tasks/sequence/reasons.h"
#include "tasks/sequence/rows.h"
#include "tasks/sequence/weight_tables.h"
#include "tasks/shared/labels.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/ranking/chain_ranker.h"
#include "tasks/shared/ranking/ranking_predictor.h"

namespace gapwise::internal {
namespace {

constexpr double kBatchTokens = 1 << 16;

class SequenceStream final : public ExampleStream {
 public:
  SequenceStream(const SequenceModel& model, const std::string& path, const ReadPlan& plan,
                 bool wants_echo)
      : model_(model),
        lines_(path),
        reader_(make_sequence_reader(lines_, plan)),
        builder_(&lines_, model.alphabets, wants_echo) {
    builder_.set_pieces(model.settings.longest_segment > 0);
  }

  bool read() override { return reader_->read(builder_); }
  double fill() const override { return static_cast<double>(builder_.num_tokens()) / kBatchTokens; }
  std::unique_ptr<Batch> take() override {
    auto batch = std::make_unique<SequenceBatch>(builder_.take());
    finish_batch(*batch, model_.alphabets, model_.settings.longest_segment);
    return batch;
  }
  [[noreturn]] void fail_empty() const override { fail_without_sequences(lines_, *reader_); }

 private:
  const SequenceModel& model_;
  LineReader lines_;
  std::unique_ptr<SequenceReader> reader_;
  SequenceBuilder builder_;
};

class SequenceScorer final : public ScorerOf<SequenceBatch> {
 public:
  explicit SequenceScorer(const Alphabet& labels) : metrics_(labels) {}

  std::size_t num_counts() const override { return SequenceMetrics::num_counts(); }
  Metrics metrics(std::span<const double> counts) const override {
    return metrics_.metrics(counts);
  }
  double errors(std::span<const double> counts) const override { return metrics_.errors(counts); }

  /// Of chunks, if labels mark them.
  void for_each_label(const Batch& batch, Index i,
                      const std::function<void(const LabelCount&)>& visit) const override {
    if (!metrics_.has_chunks()) return Scorer::for_each_label(batch, i, visit);
    const auto& own = static_cast<const SequenceBatch&>(batch);
    metrics_.chunks().for_each_chunk(tokens(own, own.gold, i), tokens(own, own.predicted, i),
                                     visit);
  }

 private:
  void count_one(const SequenceBatch& batch, Index i, std::span<double> counts) override {
    metrics_.learn(*batch.labels);
    metrics_.count(tokens(batch, batch.gold, i), tokens(batch, batch.predicted, i), counts);
  }
  void visit_places(const SequenceBatch& batch, Index i,
                    const std::function<void(const Place&)>& visit) const override {
    const auto gold = tokens(batch, batch.gold, i);
    const auto predicted = tokens(batch, batch.predicted, i);
    for (std::size_t t = 0; t < gold.size(); ++t) {
      visit({name_in(*batch.labels, gold[t]), name_in(*batch.labels, predicted[t])});
    }
  }
  /// Those of sequence i.
  static std::span<const std::int32_t> tokens(const SequenceBatch& batch,
                                              const std::vector<std::int32_t>& labels, Index i) {
    return std::span(labels).subspan(batch.data.starts[static_cast<std::size_t>(i)],
                                     static_cast<std::size_t>(batch.data.length(i)));
  }

  SequenceMetrics metrics_;
};

class SequencePredictor final : public RankingPredictorOf<SequenceBatch, SequenceModel> {
 public:
  using RankingPredictorOf::RankingPredictorOf;

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    return std::make_unique<SequenceStream>(model_, source.path, plan_reading(source, purpose),
                                            purpose == Purpose::kPredict);
  }
  std::unique_ptr<BatchRows> make_rows() const override {
    return make_sequence_batch_rows(model_.alphabets, model_.settings.longest_segment);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<SequenceScorer>(model_.alphabets.labels);
  }

  std::vector<WeightMatrix> weight_matrices() const override {
    return sequence_weight_matrices(model_);
  }
  std::vector<WeightTable> top_weights(std::size_t count) const override {
    return sequence_weight_tables(model_, count);
  }

 private:
  std::vector<Ranking> rank_batch(const SequenceBatch& batch, const RankSettings& settings,
                                  const Threads& threads) const override;
  void write_ranked_batch(const SequenceBatch& batch, std::span<const Ranking> rankings,
                          const RankedForm& form, std::string& text) const override;
  std::vector<Belief> beliefs_in(const SequenceBatch& batch, double temperature,
                                 const Threads& threads) const override;

  ReadPlan plan_reading(const DataSource& source, Purpose purpose) const;
  /// OptionError for models of a beam.
  void expect_exact() const;

  void label_batch(SequenceBatch& batch, const Threads& threads) const override {
    const SequenceData& data = batch.data;
    batch.predicted.resize(data.labels.size());
    label_all(threads, data.size(), make_tagger(), [&](SequenceTagger& tagger, Index i) {
      const auto labels = tagger.tag(data, i);
      std::copy(labels.begin(), labels.end(),
                batch.predicted.begin() +
                    static_cast<std::ptrdiff_t>(data.starts[static_cast<std::size_t>(i)]));
    });
  }
  SequenceTagger make_tagger() const {
    const SequenceVariant& variant = model_.settings.variant;
    return model_.kernel ? SequenceTagger(model_.layout, model_.w, *model_.kernel, variant)
                         : SequenceTagger(model_.layout, model_.w, variant);
  }

  ChainRanker make_ranker() const {
    return ChainRanker(model_.alphabets.labels, make_tagger().states());
  }

  std::string_view label_name(const SequenceBatch& batch, std::size_t token) const {
    return model_.alphabets.labels.name(static_cast<std::size_t>(batch.predicted[token]));
  }
  void write_batch(const SequenceBatch& batch, std::string& text) const override {
    batch.echo.write([&](std::size_t token) { return label_name(batch, token); }, text);
  }
  Output output_of(const SequenceBatch& batch, Index i) const override {
    Output output;
    const auto k = static_cast<std::size_t>(i);
    for (std::size_t token = batch.data.starts[k]; token < batch.data.starts[k + 1]; ++token) {
      output.labels.emplace_back(label_name(batch, token));
    }
    return output;
  }
};

std::vector<Ranking> SequencePredictor::rank_batch(const SequenceBatch& batch,
                                                   const RankSettings& settings,
                                                   const Threads& threads) const {
  const SequenceData& data = batch.data;
  expect_exact();
  if (settings.explain > 0 && model_.kernel) {
    throw OptionError("a model with a kernel has no weights to explain with; leave out \1explain");
  }
  if (settings.explain > 0 && model_.settings.longest_segment > 0) {
    throw OptionError(
        "in a model with segments a label may change all of the segment around it, which has no "
        "list of reasons; leave out \1explain");
  }
  std::vector<Ranking> rankings(static_cast<std::size_t>(data.size()));
  const std::pair prototype(make_tagger(), make_ranker());
  label_all(threads, data.size(), prototype, [&](auto& own, Index i) {
    Ranking& ranking = rankings[static_cast<std::size_t>(i)];
    ranking = own.second.rank(own.first.scores(data, i), settings);
    if (ranking.outputs.empty()) SequenceTagger::fail_infeasible(data, i);
    if (settings.explain > 0) add_sequence_reasons(model_, data, i, settings.explain, ranking);
  });
  return rankings;
}

void SequencePredictor::expect_exact() const {
  if (model_.settings.variant.beam == 0) return;
  throw OptionError(
      "scores are compared by exact decoding, but the model was trained with a beam; train it "
      "without \1beam");
}

std::vector<Belief> SequencePredictor::beliefs_in(const SequenceBatch& batch, double temperature,
                                                  const Threads& threads) const {
  expect_exact();
  const auto labels = static_cast<std::int32_t>(model_.alphabets.labels.size());
  std::vector<Belief> all(batch.gold.size());
  const std::pair prototype(make_tagger(), make_ranker());
  label_all(threads, batch.size(), prototype, [&](auto& workers, Index i) {
    const auto predicted = workers.first.tag(batch.data, i);
    const auto p = workers.second.probabilities(workers.first.scores(batch.data, i), temperature);
    const std::size_t first = batch.data.starts[static_cast<std::size_t>(i)];
    for (std::size_t t = 0; t < predicted.size(); ++t) {
      const std::int32_t gold = batch.gold[first + t];
      const auto at = [&](std::int32_t k) {
        return p[t * static_cast<std::size_t>(labels) + static_cast<std::size_t>(k)];
      };
      all[first + t] = {at(predicted[t]), gold >= 0 && gold < labels ? at(gold) : -1.0,
                        gold == predicted[t]};
    }
  });
  return all;
}

/// Like other predictions; with heads, output by output with a blank line behind each.
void SequencePredictor::write_ranked_batch(const SequenceBatch& batch,
                                           std::span<const Ranking> rankings,
                                           const RankedForm& form, std::string& text) const {
  const std::vector<std::size_t> lines = batch.echo.lines_with_place();
  const auto label_text = [&](const Ranking& ranking, std::size_t rank, std::size_t t) {
    std::string label = ranking.outputs[rank].output.labels[t];
    if (rank == 0 && !ranking.places.empty()) label += place_columns(ranking.places[t], form);
    return label;
  };
  if (!form.has_heads()) {
    std::size_t i = 0;
    batch.echo.write(
        [&](std::size_t token) {
          while (token >= batch.data.starts[i + 1]) ++i;
          return label_text(rankings[i], 0, token - batch.data.starts[i]);
        },
        text);
    return;
  }
  for (std::size_t i = 0; i < rankings.size(); ++i) {
    for (std::size_t rank = 0; rank < rankings[i].outputs.size(); ++rank) {
      text += fmt::format("# {} {}\n", rank + 1, ranked_number(rankings[i].outputs[rank].score));
      const std::size_t first = batch.data.starts[i];
      for (std::size_t token = first; token < batch.data.starts[i + 1]; ++token) {
        batch.echo.write_line(lines[token], label_text(rankings[i], rank, token - first), text);
      }
      text += '\n';
    }
  }
}

ReadPlan SequencePredictor::plan_reading(const DataSource& source, Purpose purpose) const {
  const SequenceSettings& settings = model_.settings;
  ReadPlan plan;
  plan.format = source.format.empty() ? settings.format : source.format;
  plan.folds = source.folds;
  plan.needs_labels = purpose == Purpose::kEvaluate;
  plan.has_dictionary = settings.dictionary;
  if (plan.format != "conll") return plan;
  if (settings.format != "conll") {
    throw OptionError(fmt::format(
        "format conll needs a template, but the model was trained on format {} and has none; give "
        "data in that format",
        settings.format));
  }
  plan.num_columns = settings.num_columns;
  plan.templates = Template::parse(settings.template_lines, "template of the model");
  return plan;
}

}  // namespace

std::unique_ptr<Predictor> make_sequence_predictor(SequenceModel model) {
  return std::make_unique<SequencePredictor>(std::move(model));
}

}  // namespace gapwise::internal
