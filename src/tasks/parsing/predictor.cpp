#include <fmt/format.h>

#include <span>

#include "tasks/parsing/driver.h"
#include "tasks/parsing/treebank.h"
#include "tasks/shared/labels.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/ratio.h"

namespace gapwise::internal {
namespace {

constexpr double kBatchWords = 1 << 15;

/// Sentences with the trees that were found.
struct ParsingBatch final : Batch {
  Treebank bank;
  bool has_label_column = true;  ///< where they are written
  std::vector<std::int32_t> heads;
  std::vector<std::int32_t> labels;

  Index size() const override { return bank.data.size(); }
};

class ParsingStream final : public ExampleStream {
 public:
  ParsingStream(const std::string& path, const TreebankPlan& plan, const ParsingModel& model)
      : lines_(path),
        num_labels_(model.names.labels.size()),
        has_label_column_(plan.format != "malttab" || model.features.is_labelled()),
        reader_(lines_, plan, model.names.labels) {}

  bool read() override { return reader_.read(); }
  double fill() const override { return static_cast<double>(reader_.num_words()) / kBatchWords; }
  std::unique_ptr<Batch> take() override {
    auto batch = std::make_unique<ParsingBatch>();
    batch->bank = reader_.take();
    check_treebank_size(batch->bank, num_labels_, lines_);
    batch->has_label_column = has_label_column_;
    return batch;
  }
  [[noreturn]] void fail_empty() const override { reader_.fail_empty(); }

 private:
  LineReader lines_;
  std::size_t num_labels_;
  bool has_label_column_;
  TreebankReader reader_;
};

class ParsingScorer final : public ScorerOf<ParsingBatch> {
 public:
  /// `labels` is null if arcs have none.
  explicit ParsingScorer(const Alphabet* labels) : labels_(labels) {}

  std::size_t num_counts() const override { return kCounts; }
  Metrics metrics(std::span<const double> counts) const override {
    Metrics metrics{
        {.name = "uas", .value = ratio(counts[kRightHeads], counts[kWords]), .is_main = true}};
    if (labels_ != nullptr) {
      metrics.push_back({.name = "las", .value = ratio(counts[kRightArcs], counts[kWords])});
    }
    return metrics;
  }
  double errors(std::span<const double> counts) const override {
    return counts[kWords] - counts[kRightArcs];
  }

 private:
  enum Count : std::size_t { kWords, kRightHeads, kRightArcs, kCounts };

  void count_one(const ParsingBatch& batch, Index i, std::span<double> counts) override {
    for_each_word(batch, i, [&](std::size_t k, bool has_head) {
      counts[kWords] += 1.0;
      counts[kRightHeads] += has_head ? 1.0 : 0.0;
      counts[kRightArcs] += has_head && has_label(batch, k) ? 1.0 : 0.0;
    });
  }
  void visit_places(const ParsingBatch& batch, Index i,
                    const std::function<void(const Place&)>& visit) const override {
    if (labels_ == nullptr) return;
    for_each_word(batch, i, [&](std::size_t k, bool has_head) {
      visit({name_in(*labels_, batch.bank.data.labels[k]), name_in(*labels_, batch.labels[k]), 1.0,
             has_head && has_label(batch, k)});
    });
  }

  static bool has_label(const ParsingBatch& batch, std::size_t k) {
    return batch.labels[k] == batch.bank.data.labels[k];
  }
  /// Calls visit(word, whether its head is right).
  template <class Visit>
  static void for_each_word(const ParsingBatch& batch, Index i, Visit visit) {
    const ParsingData& gold = batch.bank.data;
    const std::size_t first = gold.starts[static_cast<std::size_t>(i)];
    for (std::size_t k = first; k < gold.starts[static_cast<std::size_t>(i) + 1]; ++k) {
      visit(k, batch.heads[k] == gold.heads[k]);
    }
  }

  const Alphabet* labels_;
};

class ParsingPredictor final : public PredictorOf<ParsingBatch, ParsingModel> {
 public:
  using PredictorOf::PredictorOf;

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    check_treebank_folds(source.folds);
    TreebankPlan plan;
    plan.format = source.format.empty() ? model_.settings.format : source.format;
    plan.needs_trees = purpose == Purpose::kEvaluate;
    plan.has_labels = model_.settings.has_labels;
    plan.roots = RootCount::kMany;  // what the model cannot predict is an error of the model
    plan.wants_echo = purpose == Purpose::kPredict;
    return std::make_unique<ParsingStream>(source.path, plan, model_);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<ParsingScorer>(model_.features.is_labelled() ? &model_.names.labels
                                                                         : nullptr);
  }
  std::vector<WeightTable> top_weights(std::size_t count) const override {
    return parsing_weight_tables(model_, count);
  }

 private:
  void label_batch(ParsingBatch& batch, const Threads& threads) const override {
    const ParsingData& data = batch.bank.data;
    batch.heads.resize(data.words.size());
    batch.labels.resize(data.words.size());
    const DependencyParser prototype(model_.features, model_.w, model_.settings.kind);
    label_all(threads, data.size(), prototype, [&](DependencyParser& parser, Index i) {
      const std::size_t first = data.starts[static_cast<std::size_t>(i)];
      const auto length = static_cast<std::size_t>(data.length(i));
      parser.parse(data.of(i, data.words), std::span(batch.heads).subspan(first, length),
                   std::span(batch.labels).subspan(first, length));
    });
  }

  std::string_view label_name(std::int32_t label) const {
    return model_.names.labels.name(static_cast<std::size_t>(label));
  }
  void write_batch(const ParsingBatch& batch, std::string& text) const override {
    batch.bank.echo.write(
        [&](std::size_t k) {
          std::string place = fmt::to_string(batch.heads[k]);
          if (batch.has_label_column) place.append("\t").append(label_name(batch.labels[k]));
          return place;
        },
        text);
  }
  Output output_of(const ParsingBatch& batch, Index i) const override {
    const ParsingData& data = batch.bank.data;
    Output output;
    for (const std::int32_t head : data.of(i, batch.heads)) output.numbers.push_back(head);
    if (!model_.features.is_labelled()) return output;
    for (const std::int32_t label : data.of(i, batch.labels)) {
      output.labels.emplace_back(label_name(label));
    }
    return output;
  }
};

}  // namespace

std::unique_ptr<Predictor> make_parsing_predictor(ParsingModel model) {
  return std::make_unique<ParsingPredictor>(std::move(model));
}

}  // namespace gapwise::internal
