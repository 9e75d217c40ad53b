#include "tasks/sequence/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tasks/sequence/metrics.h"
#include "tasks/sequence/reader.h"
#include "tasks/sequence/rows.h"
#include "tasks/sequence/weight_tables.h"
#include "tasks/shared/parallel_labels.h"

namespace gapwise::internal {
namespace {

constexpr double kBatchTokens = 1 << 16;

class SequenceStream final : public ExampleStream {
 public:
  SequenceStream(const SequenceAlphabets& alphabets, const std::string& path, const ReadPlan& plan,
                 bool wants_echo)
      : alphabets_(alphabets),
        lines_(path),
        reader_(make_sequence_reader(lines_, plan)),
        builder_(&lines_, alphabets, wants_echo) {}

  bool read() override { return reader_->read(builder_); }
  double fill() const override { return static_cast<double>(builder_.num_tokens()) / kBatchTokens; }
  std::unique_ptr<Batch> take() override {
    auto batch = std::make_unique<SequenceBatch>(builder_.take());
    finish_features(batch->data, alphabets_);
    return batch;
  }
  [[noreturn]] void fail_empty() const override { fail_without_sequences(lines_, *reader_); }

 private:
  const SequenceAlphabets& alphabets_;
  LineReader lines_;
  std::unique_ptr<SequenceReader> reader_;
  SequenceBuilder builder_;
};

class SequenceScorer final : public ScorerOf<SequenceBatch> {
 public:
  explicit SequenceScorer(const Alphabet& labels) : metrics_(labels) {}
  Metrics result() const override { return metrics_.result(); }

 private:
  void add_batch(const SequenceBatch& batch) override {
    metrics_.learn(*batch.labels);
    const std::span<const std::int32_t> gold(batch.gold);
    for (Index i = 0; i < batch.size(); ++i) {
      const std::size_t begin = batch.data.starts[static_cast<std::size_t>(i)];
      const auto length = static_cast<std::size_t>(batch.data.length(i));
      metrics_.add(gold.subspan(begin, length), std::span(batch.predicted).subspan(begin, length));
    }
  }

  SequenceMetrics metrics_;
};

class SequencePredictor final : public PredictorOf<SequenceBatch, SequenceModel> {
 public:
  using PredictorOf::PredictorOf;

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    return std::make_unique<SequenceStream>(
        model_.alphabets, source.path, plan_reading(source, purpose), purpose == Purpose::kPredict);
  }
  std::unique_ptr<BatchRows> make_rows() const override {
    return make_sequence_batch_rows(model_.alphabets);
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
  ReadPlan plan_reading(const DataSource& source, Purpose purpose) const;

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
    const int beam = model_.settings.variant.beam;
    return model_.kernel ? SequenceTagger(model_.layout, model_.w, *model_.kernel, beam)
                         : SequenceTagger(model_.layout, model_.w, beam);
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

ReadPlan SequencePredictor::plan_reading(const DataSource& source, Purpose purpose) const {
  const SequenceSettings& settings = model_.settings;
  ReadPlan plan;
  plan.format = source.format.empty() ? settings.format : source.format;
  plan.folds = source.folds;
  plan.needs_labels = purpose == Purpose::kEvaluate;
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
