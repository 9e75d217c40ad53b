#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "tasks/alignment/driver.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

constexpr double kBatchLinks = 1 << 17;

class AlignmentStream final : public ExampleStream {
 public:
  AlignmentStream(const AlignmentModel& model, const DataSource& source, bool needs_gold)
      : plan_(plan_for(source, model.plan)),
        folds_(source.folds),
        builder_(model.attributes),
        input_(open_alignment_input(source, plan_, needs_gold, builder_)) {}

  bool read() override { return input_->read(); }
  double fill() const override { return static_cast<double>(builder_.num_links()) / kBatchLinks; }
  std::unique_ptr<Batch> take() override {
    return std::make_unique<AlignmentBatch>(builder_.take());
  }
  [[noreturn]] void fail_empty() const override { fail_without_pairs(input_->lines(), folds_); }

 private:
  AlignmentPlan plan_;
  std::string folds_;
  LinkBuilder builder_;
  std::unique_ptr<AlignmentInput> input_;
};

/// Calls visit(s, t) for the predicted links of pair i.
template <class Visit>
void for_each_link(const AlignmentBatch& batch, Index i, Visit visit) {
  const std::vector<std::int32_t>& target_of = batch.target_of[static_cast<std::size_t>(i)];
  for (std::size_t s = 0; s < target_of.size(); ++s) {
    if (target_of[s] != kUnmatched) visit(s, static_cast<std::size_t>(target_of[s]));
  }
}

/// Counts predicted links that are right, by how right they are.
class AlignmentScorer final : public ScorerOf<AlignmentBatch> {
 public:
  Metrics result() const override {
    return {{.name = "precision", .value = share(possible_found_, predicted_)},
            {.name = "recall", .value = share(sure_found_, sure_)},
            {.name = "aer",
             .value = 1.0 - share(sure_found_ + possible_found_, predicted_ + sure_),
             .better = Better::kLower,
             .is_main = true}};
  }

 private:
  /// All of nothing is found.
  static double share(Index part, Index whole) {
    return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
  }

  void add_batch(const AlignmentBatch& batch) override {
    const AlignmentData& data = batch.data;
    for (Index i = 0; i < batch.size(); ++i) {
      const std::span gold(data.gold.data() + data.first_link(i), data.num_links(i));
      const auto targets = static_cast<std::size_t>(data.targets[static_cast<std::size_t>(i)]);
      sure_ += std::count(gold.begin(), gold.end(), Gold::kSure);
      for_each_link(batch, i, [&](std::size_t s, std::size_t t) {
        const Gold kind = gold[s * targets + t];
        ++predicted_;
        sure_found_ += kind == Gold::kSure ? 1 : 0;
        possible_found_ += kind != Gold::kWrong ? 1 : 0;
      });
    }
  }

  Index predicted_ = 0;
  Index sure_ = 0;
  Index sure_found_ = 0;
  Index possible_found_ = 0;  ///< sure ones are possible as well
};

class AlignmentPredictor final : public PredictorOf<AlignmentBatch, AlignmentModel> {
 public:
  using PredictorOf::PredictorOf;

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    return std::make_unique<AlignmentStream>(model_, source, purpose == Purpose::kEvaluate);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<AlignmentScorer>();
  }
  std::vector<WeightTable> top_weights(std::size_t count) const override {
    return {weight_table("links", {model_.w, 0, 1, std::ssize(model_.w)}, count, [&](Index k) {
      return model_.attributes.display_name(static_cast<std::size_t>(k));
    })};
  }

 private:
  void label_batch(AlignmentBatch& batch, const Threads& threads) const override {
    batch.target_of.resize(static_cast<std::size_t>(batch.size()));
    label_all(threads, batch.size(), Aligner(model_.w), [&](Aligner& aligner, Index i) {
      const auto links = aligner.align(batch.data, i);
      batch.target_of[static_cast<std::size_t>(i)].assign(links.begin(), links.end());
    });
  }

  void write_batch(const AlignmentBatch& batch, std::string& text) const override {
    for (Index i = 0; i < batch.size(); ++i) {
      const PairEcho& echo = batch.echoes[static_cast<std::size_t>(i)];
      std::string line = echo.prefix;
      for_each_link(batch, i, [&](std::size_t s, std::size_t t) {
        fmt::format_to(std::back_inserter(line), "{}-{} ", echo.sources[s], echo.targets[t]);
      });
      if (line.ends_with(' ')) line.pop_back();
      text.append(line).push_back('\n');
    }
  }

  Output output_of(const AlignmentBatch& batch, Index i) const override {
    Output output;
    for_each_link(batch, i, [&](std::size_t s, std::size_t t) {
      output.numbers.push_back(static_cast<Index>(s));
      output.numbers.push_back(static_cast<Index>(t));
    });
    return output;
  }
};

}  // namespace

std::unique_ptr<Predictor> make_alignment_predictor(AlignmentModel model) {
  return std::make_unique<AlignmentPredictor>(std::move(model));
}

}  // namespace gapwise::internal
