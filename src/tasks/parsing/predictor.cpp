#include "tasks/parsing/predictor.h"

#include <fmt/format.h>

#include <functional>
#include <ostream>

#include "tasks/parsing/treebank.h"
#include "tasks/parsing/weight_tables.h"

namespace gapwise::internal {
namespace {

/// Sentences are read, parsed and let go in runs of about this many words, so that memory does not
/// grow with the file.
constexpr std::size_t kBatchWords = std::size_t{1} << 15;

class ParsingPredictor final : public Predictor {
 public:
  explicit ParsingPredictor(ParsingModel model) : model_(std::move(model)) {}

  Metrics evaluate(const DataSource& source, const Threads& threads) const override;
  void predict(const DataSource& source, const Threads& threads, std::ostream& out) const override;
  std::vector<WeightTable> top_weights(std::size_t count) const override {
    return parsing_weight_tables(model_, count);
  }

 private:
  /// Sentences with the trees that were found.
  struct Batch {
    Treebank bank;
    std::vector<std::int32_t> heads;
    std::vector<std::int32_t> labels;
  };
  enum class Purpose { kEvaluate, kPredict };

  void for_each_batch(const DataSource& source, Purpose purpose, const Threads& threads,
                      const std::function<void(const Batch&)>& visit) const;
  void parse(const Threads& threads, Batch& batch) const;

  ParsingModel model_;
};

void ParsingPredictor::for_each_batch(const DataSource& source, Purpose purpose,
                                      const Threads& threads,
                                      const std::function<void(const Batch&)>& visit) const {
  check_treebank_folds(source.folds);
  TreebankPlan plan;
  plan.format = source.format.empty() ? model_.settings.format : source.format;
  plan.needs_trees = purpose == Purpose::kEvaluate;
  plan.has_labels = model_.settings.has_labels;
  plan.roots = RootCount::kMany;  // what the model cannot predict is an error of the model
  plan.wants_echo = purpose == Purpose::kPredict;
  LineReader lines(source.path);
  TreebankReader reader(lines, plan, model_.names.labels);
  bool has_more = true;
  while (has_more) {
    while (reader.num_words() < kBatchWords && has_more) has_more = reader.read();
    Batch batch;
    batch.bank = reader.take();
    check_treebank_size(batch.bank, model_.names.labels.size(), lines);
    parse(threads, batch);
    visit(batch);
  }
}

void ParsingPredictor::parse(const Threads& threads, Batch& batch) const {
  const ParsingData& data = batch.bank.data;
  batch.heads.resize(data.words.size());
  batch.labels.resize(data.words.size());
  std::vector<DependencyParser> parsers;
  for (int slot = 0; slot < threads.count(); ++slot) {
    parsers.emplace_back(model_.features, model_.w, model_.settings.kind);
  }
  threads.run(data.size(), [&](Index begin, Index end, int slot) {
    for (Index i = begin; i < end; ++i) {
      const std::size_t first = data.starts[static_cast<std::size_t>(i)];
      const auto length = static_cast<std::size_t>(data.length(i));
      parsers[static_cast<std::size_t>(slot)].parse(data.of(i, data.words),
                                                    std::span(batch.heads).subspan(first, length),
                                                    std::span(batch.labels).subspan(first, length));
    }
  });
}

Metrics ParsingPredictor::evaluate(const DataSource& source, const Threads& threads) const {
  Index words = 0;
  Index right_heads = 0;
  Index right_arcs = 0;
  for_each_batch(source, Purpose::kEvaluate, threads, [&](const Batch& batch) {
    const ParsingData& gold = batch.bank.data;
    words += std::ssize(gold.words);
    for (std::size_t k = 0; k < gold.words.size(); ++k) {
      const bool has_head = batch.heads[k] == gold.heads[k];
      right_heads += has_head ? 1 : 0;
      right_arcs += has_head && batch.labels[k] == gold.labels[k] ? 1 : 0;
    }
  });
  const auto fraction = [words](Index count) {
    return static_cast<double>(count) / static_cast<double>(words);
  };
  Metrics metrics{{"uas", fraction(right_heads)}};
  if (model_.features.is_labelled()) metrics.emplace_back("las", fraction(right_arcs));
  return metrics;
}

void ParsingPredictor::predict(const DataSource& source, const Threads& threads,
                               std::ostream& out) const {
  const std::string format = source.format.empty() ? model_.settings.format : source.format;
  const bool has_label_column = format != "malttab" || model_.features.is_labelled();
  std::string text;
  for_each_batch(source, Purpose::kPredict, threads, [&](const Batch& batch) {
    text.clear();
    batch.bank.echo.write(
        [&](std::size_t k) {
          std::string place = fmt::to_string(batch.heads[k]);
          if (has_label_column) {
            place.append("\t").append(
                model_.names.labels.name(static_cast<std::size_t>(batch.labels[k])));
          }
          return place;
        },
        text);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

}  // namespace

std::unique_ptr<Predictor> make_parsing_predictor(ParsingModel model) {
  return std::make_unique<ParsingPredictor>(std::move(model));
}

}  // namespace gapwise::internal
