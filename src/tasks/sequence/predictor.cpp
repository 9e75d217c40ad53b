#include "tasks/sequence/predictor.h"

#include <fmt/format.h>

#include <functional>
#include <ostream>

#include "tasks/sequence/metrics.h"
#include "tasks/sequence/reader.h"
#include "tasks/sequence/weight_tables.h"

namespace gapwise::internal {
namespace {

/// Sequences are read, labelled and let go in runs of about this many tokens, so that memory does
/// not grow with the file.
constexpr std::size_t kBatchTokens = std::size_t{1} << 16;

class SequencePredictor final : public Predictor {
 public:
  explicit SequencePredictor(SequenceModel model) : model_(std::move(model)) {}

  Metrics evaluate(const DataSource& source, const Threads& threads) const override;
  void predict(const DataSource& source, const Threads& threads, std::ostream& out) const override;
  std::vector<WeightTable> top_weights(std::size_t count) const override {
    return sequence_weight_tables(model_, count);
  }

 private:
  using Visit = std::function<void(const SequenceBatch& batch, const Alphabet& labels,
                                   const std::vector<std::int32_t>& predicted)>;
  enum class Purpose { kEvaluate, kPredict };

  ReadPlan plan_reading(const DataSource& source, Purpose purpose) const;
  void for_each_batch(const DataSource& source, Purpose purpose, const Threads& threads,
                      const Visit& visit) const;
  std::vector<std::int32_t> tag(const SequenceData& data, const Threads& threads) const;
  SequenceTagger make_tagger() const {
    const int beam = model_.settings.variant.beam;
    return model_.kernel ? SequenceTagger(model_.layout, model_.w, *model_.kernel, beam)
                         : SequenceTagger(model_.layout, model_.w, beam);
  }

  SequenceModel model_;
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

void SequencePredictor::for_each_batch(const DataSource& source, Purpose purpose,
                                       const Threads& threads, const Visit& visit) const {
  LineReader lines(source.path);
  const auto reader = make_sequence_reader(lines, plan_reading(source, purpose));
  SequenceBuilder builder(lines, model_.alphabets, purpose == Purpose::kPredict);
  bool has_more = true;
  Index num_sequences = 0;
  while (has_more) {
    while (builder.num_tokens() < kBatchTokens && has_more) has_more = reader->read(builder);
    SequenceBatch batch = builder.take();
    finish_features(batch.data, model_.alphabets);
    num_sequences += batch.data.size();
    visit(batch, builder.labels(), tag(batch.data, threads));
  }
  if (num_sequences == 0) fail_without_sequences(lines, *reader);
}

std::vector<std::int32_t> SequencePredictor::tag(const SequenceData& data,
                                                 const Threads& threads) const {
  std::vector<std::int32_t> predicted(data.labels.size());
  std::vector<SequenceTagger> taggers(static_cast<std::size_t>(threads.count()), make_tagger());
  threads.run(data.size(), [&](Index begin, Index end, int slot) {
    for (Index i = begin; i < end; ++i) {
      const auto labels = taggers[static_cast<std::size_t>(slot)].tag(data, i);
      std::copy(labels.begin(), labels.end(),
                predicted.begin() +
                    static_cast<std::ptrdiff_t>(data.starts[static_cast<std::size_t>(i)]));
    }
  });
  return predicted;
}

Metrics SequencePredictor::evaluate(const DataSource& source, const Threads& threads) const {
  SequenceMetrics metrics(model_.alphabets.labels);
  for_each_batch(source, Purpose::kEvaluate, threads,
                 [&](const SequenceBatch& batch, const Alphabet& labels,
                     const std::vector<std::int32_t>& predicted) {
                   metrics.learn(labels);
                   const std::span<const std::int32_t> gold(batch.gold);
                   for (Index i = 0; i < batch.data.size(); ++i) {
                     const std::size_t begin = batch.data.starts[static_cast<std::size_t>(i)];
                     const auto length = static_cast<std::size_t>(batch.data.length(i));
                     metrics.add(gold.subspan(begin, length),
                                 std::span(predicted).subspan(begin, length));
                   }
                 });
  return metrics.result();
}

void SequencePredictor::predict(const DataSource& source, const Threads& threads,
                                std::ostream& out) const {
  std::string text;
  for_each_batch(
      source, Purpose::kPredict, threads,
      [&](const SequenceBatch& batch, const Alphabet& labels,
          const std::vector<std::int32_t>& predicted) {
        text.clear();
        batch.echo.write(
            [&](std::size_t k) { return labels.name(static_cast<std::size_t>(predicted[k])); },
            text);
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
      });
}

}  // namespace

std::unique_ptr<Predictor> make_sequence_predictor(SequenceModel model) {
  return std::make_unique<SequencePredictor>(std::move(model));
}

}  // namespace gapwise::internal
