#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gapwise/errors.h"
#include "tasks/factor_graph/driver.h"
#include "tasks/factor_graph/reader.h"
#include "tasks/shared/labels.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/ratio.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

constexpr double kBatchCells = 1 << 22;

class FactorGraphStream final : public ExampleStream {
 public:
  FactorGraphStream(const FactorGraphPlan& plan, GraphVocabulary names)
      : names_(std::move(names)),
        reader_(make_factor_graph_reader(plan, names_)),
        batch_(std::make_unique<FactorGraphBatch>()) {}

  bool read() override { return reader_->read(*batch_); }
  double fill() const override { return static_cast<double>(reader_->num_cells()) / kBatchCells; }
  std::unique_ptr<Batch> take() override {
    finish_features(batch_->data, names_);
    reader_->forget_cells();
    auto next = std::make_unique<FactorGraphBatch>();
    next->before = batch_->before + batch_->size();
    return std::exchange(batch_, std::move(next));
  }
  [[noreturn]] void fail_empty() const override { throw InputError(reader_->complaint()); }

 private:
  GraphVocabulary names_;
  std::unique_ptr<FactorGraphReader> reader_;
  std::unique_ptr<FactorGraphBatch> batch_;
};

/// Variables count by their weights.
class FactorGraphScorer final : public ScorerOf<FactorGraphBatch> {
 public:
  explicit FactorGraphScorer(const VariableKinds& kinds) : kinds_(kinds) {}

  std::size_t num_counts() const override { return kCounts; }
  Metrics metrics(std::span<const double> counts) const override {
    return {{.name = "accuracy", .value = ratio(counts[kRight], counts[kTotal]), .is_main = true},
            {.name = "exact", .value = ratio(counts[kExact], counts[kGraphs])},
            {.name = "proven_optimal", .value = ratio(counts[kProven], counts[kGraphs])}};
  }
  double errors(std::span<const double> counts) const override {
    return counts[kTotal] - counts[kRight];
  }

 private:
  enum Count : std::size_t { kRight, kTotal, kExact, kProven, kGraphs, kCounts };

  void count_one(const FactorGraphBatch& batch, Index i, std::span<double> counts) override {
    const FactorGraphData& data = batch.data;
    bool is_exact = true;
    const std::size_t first = data.first_variable(i);
    for (std::size_t v = first; v < first + data.truth_of(i).size(); ++v) {
      counts[kTotal] += data.costs[v];
      if (data.truth[v] == batch.predicted[v]) {
        counts[kRight] += data.costs[v];
      } else {
        is_exact = is_exact && data.costs[v] == 0.0;
      }
    }
    counts[kExact] += is_exact ? 1.0 : 0.0;
    counts[kProven] += batch.is_proven[static_cast<std::size_t>(i)];
    counts[kGraphs] += 1.0;
  }
  void visit_places(const FactorGraphBatch& batch, Index i,
                    const std::function<void(const Place&)>& visit) const override {
    const FactorGraphData& data = batch.data;
    const std::size_t first = data.first_variable(i);
    for (std::size_t v = first; v < first + data.truth_of(i).size(); ++v) {
      const Alphabet& states = kinds_.states[static_cast<std::size_t>(data.kinds[v])];
      visit({name_in(states, data.truth[v]), name_in(states, batch.predicted[v]), data.costs[v]});
    }
  }

  const VariableKinds& kinds_;
};

class FactorGraphPredictor final : public PredictorOf<FactorGraphBatch, FactorGraphModel> {
 public:
  explicit FactorGraphPredictor(FactorGraphModel model)
      : PredictorOf(std::move(model)), layout_(model_.names) {}

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    const std::string format = source.format.empty() && model_.settings.format == "uai"
                                   ? model_.settings.format
                                   : factor_graph_format(source.format, source.path);
    const FactorGraphPlan plan{source.path, format, source.folds, purpose == Purpose::kEvaluate,
                               false};
    return std::make_unique<FactorGraphStream>(plan, model_.names);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<FactorGraphScorer>(model_.names.variables);
  }
  std::vector<WeightTable> top_weights(std::size_t count) const override {
    const GraphVocabulary& names = model_.names;
    return {table_of("variables", names.variable_attributes, layout_.variables, count),
            table_of("factors", names.factor_attributes, layout_.factors, count)};
  }

 private:
  void label_batch(FactorGraphBatch& batch, const Threads& threads) const override {
    batch.predicted.resize(batch.data.truth.size());
    batch.is_proven.resize(static_cast<std::size_t>(batch.size()));
    label_all(threads, batch.size(), FactorGraphLabeller(layout_, model_.w),
              [&](FactorGraphLabeller& labeller, Index i) {
                const auto out =
                    std::span(batch.predicted)
                        .subspan(batch.data.first_variable(i), batch.data.truth_of(i).size());
                batch.is_proven[static_cast<std::size_t>(i)] =
                    labeller.label(batch.data, i, out) ? 1 : 0;
              });
  }

  /// A state a line, graphs apart by blank lines; in format uai as solutions are written there.
  void write_batch(const FactorGraphBatch& batch, std::string& text) const override {
    for (Index i = 0; i < batch.size(); ++i) {
      if (model_.settings.format == "uai") {
        text += fmt::format("MPE\n{}", batch.data.truth_of(i).size());
        for_each_state(batch, i, [&](std::string_view name) {
          text += ' ';
          text += name;
        });
        text += '\n';
        continue;
      }
      if (batch.before + i > 0) text += '\n';
      for_each_state(batch, i, [&](std::string_view name) {
        text += name;
        text += '\n';
      });
    }
  }
  Output output_of(const FactorGraphBatch& batch, Index i) const override {
    Output output;
    for_each_state(batch, i, [&](std::string_view name) { output.labels.emplace_back(name); });
    return output;
  }

  /// Calls visit(name) for the state of each variable of graph i.
  template <class Visit>
  void for_each_state(const FactorGraphBatch& batch, Index i, Visit visit) const {
    const std::size_t first = batch.data.first_variable(i);
    for (std::size_t v = first; v < first + batch.data.truth_of(i).size(); ++v) {
      const auto kind = static_cast<std::size_t>(batch.data.kinds[v]);
      const auto state = static_cast<std::size_t>(batch.predicted[v]);
      visit(model_.names.variables.states[kind].name(state));
    }
  }

  /// Weights are named "kind attribute state", states of factors by their place in the table.
  WeightTable table_of(std::string title, const KindAttributes& attributes,
                       const std::vector<Index>& offsets, std::size_t count) const {
    const auto name = [&](Index k) {
      const Index at = offsets.front() + k;
      const auto a = static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), at) -
                                              offsets.begin() - 1);
      if (attributes.width(a) == 1) return attributes.name(a);
      return fmt::format("{} {}", attributes.name(a), at - offsets[a]);
    };
    return weight_table(std::move(title),
                        {model_.w, offsets.front(), 1, offsets.back() - offsets.front()}, count,
                        name);
  }

  GraphWeightLayout layout_;
};

}  // namespace

std::unique_ptr<Predictor> make_factor_graph_predictor(FactorGraphModel model) {
  return std::make_unique<FactorGraphPredictor>(std::move(model));
}

}  // namespace gapwise::internal
