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
  const std::vector<std::uint8_t>& links = batch.links[static_cast<std::size_t>(i)];
  const auto targets = static_cast<std::size_t>(batch.data.targets[static_cast<std::size_t>(i)]);
  for (std::size_t link = 0; link < links.size(); ++link) {
    if (links[link] != 0) visit(link / targets, link % targets);
  }
}

/// Counts predicted links that are right, by how right they are.
class AlignmentScorer final : public ScorerOf<AlignmentBatch> {
 public:
  std::size_t num_counts() const override { return kCounts; }
  Metrics metrics(std::span<const double> counts) const override {
    return {{.name = "precision", .value = share(counts[kPossibleFound], counts[kPredicted])},
            {.name = "recall", .value = share(counts[kSureFound], counts[kSure])},
            {.name = "aer",
             .value = 1.0 - share(counts[kSureFound] + counts[kPossibleFound],
                                  counts[kPredicted] + counts[kSure]),
             .better = Better::kLower,
             .is_main = true}};
  }
  double errors(std::span<const double> counts) const override {
    return counts[kPredicted] - counts[kPossibleFound] + counts[kSure] - counts[kSureFound];
  }

 private:
  /// Sure links are possible as well.
  enum Count : std::size_t { kPredicted, kSure, kSureFound, kPossibleFound, kCounts };

  /// All of nothing is found.
  static double share(double part, double whole) { return whole == 0.0 ? 1.0 : part / whole; }

  void count_one(const AlignmentBatch& batch, Index i, std::span<double> counts) override {
    const AlignmentData& data = batch.data;
    const std::span gold(data.gold.data() + data.first_link(i), data.num_links(i));
    const auto targets = static_cast<std::size_t>(data.targets[static_cast<std::size_t>(i)]);
    counts[kSure] += static_cast<double>(std::count(gold.begin(), gold.end(), Gold::kSure));
    for_each_link(batch, i, [&](std::size_t s, std::size_t t) {
      const Gold kind = gold[s * targets + t];
      counts[kPredicted] += 1.0;
      counts[kSureFound] += kind == Gold::kSure ? 1.0 : 0.0;
      counts[kPossibleFound] += kind != Gold::kWrong ? 1.0 : 0.0;
    });
  }
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
    batch.links.resize(static_cast<std::size_t>(batch.size()));
    label_all(threads, batch.size(), Aligner(model_.w, model_.plan.fertility),
              [&](Aligner& aligner, Index i) {
                const auto links = aligner.align(batch.data, i);
                batch.links[static_cast<std::size_t>(i)].assign(links.begin(), links.end());
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
