#include "tasks/multilabel/problem.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>

#include "core/factor_graph.h"
#include "gapwise/errors.h"
#include "tasks/shared/binary_graphs.h"
#include "tasks/shared/label_rows.h"
#include "tasks/shared/label_scatter.h"
#include "tasks/shared/row_inputs.h"

namespace gapwise::internal {
namespace {

/// What is computed once for all oracles.
struct MultilabelProblemData {
  std::shared_ptr<const MultilabelData> examples;
  MultilabelLayout layout;
  double unit_loss = 1.0;             ///< what one wrong label costs
  std::vector<double> squared_norms;  ///< |x_i|^2

  bool is_weighted() const { return !examples->missed.empty(); }
  /// What it costs to have label l wrong where it is, or is not, there.
  double cost(std::size_t l, bool is_there) const {
    if (!is_weighted()) return unit_loss;
    return unit_loss * (is_there ? examples->missed : examples->invented)[l];
  }
};

/// Part l < L of an example is "label l is on"; the pairs follow.
class MultilabelOracle final : public Oracle {
 public:
  explicit MultilabelOracle(const MultilabelProblemData& problem)
      : problem_(problem),
        data_(*problem.examples),
        labels_(static_cast<std::size_t>(data_.labels)),
        pairs_(static_cast<std::size_t>(problem.layout.num_pairs())),
        row_(labels_),
        on_(labels_),
        scatter_(labels_),
        decoder_(labels_, data_.constraints) {}

  void score(Index i, Weights w, PartScores& theta) override {
    const std::span<double> scores = theta.resize(labels_ + pairs_);
    score_rows(data_.inputs, static_cast<std::size_t>(i), 1, w.data(), labels_, scores.data());
    std::copy_n(pair_weights(w.data()), pairs_, scores.data() + labels_);
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    const double* scores = theta.values().data();
    const std::span<const std::uint8_t> truth = truth_of(i);
    std::copy_n(scores, labels_, row_.data());
    double constant = 0.0;
    if (augment == Augment::kLoss) {
      for (std::size_t l = 0; l < labels_; ++l) {
        const double cost = problem_.cost(l, truth[l] != 0);
        row_[l] += truth[l] != 0 ? -cost : cost;
        constant += truth[l] * cost;
      }
    }
    const BinaryPairScores augmented = view(row_.data(), scores);
    const BinaryPairResult found = decoder_.maximize(augmented, on_);
    set_corner(truth, out);
    out.is_exact = found.is_exact;
    if (found.is_exact) return;
    const double truth_score = score_of(view(scores, scores), truth);
    out.upper_bound = found.upper_bound + constant - truth_score;
    if (found.value + constant >= truth_score || augment == Augment::kNone) return;
    out.parts.clear();  // the truth is better
    out.loss = 0.0;
  }

  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    const auto pairs = std::partition_point(
        ids.begin(), ids.end(), [this](Index id) { return id < static_cast<Index>(labels_); });
    const auto singles = static_cast<std::size_t>(pairs - ids.begin());
    score_labels(features(i), ids.first(singles), labels_, w.data(), out.data());
    const double* weights = pair_weights(w.data());
    for (std::size_t k = singles; k < ids.size(); ++k) {
      out[k] = weights[static_cast<std::size_t>(ids[k]) - labels_];
    }
  }

  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    std::size_t singles = 0;
    while (singles < ids.size() && ids[singles] < static_cast<Index>(labels_)) ++singles;
    describe_labels(features(i), ids.first(singles), 0, static_cast<Index>(labels_), out);
    const Index pairs = static_cast<Index>(problem_.layout.pairs()) - static_cast<Index>(labels_);
    for (std::size_t k = singles; k < ids.size(); ++k) out.add_weight(k, pairs + ids[k]);
    return true;
  }

  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    double* weights = pair_weights(w.data());
    const std::size_t singles = num_singles(v);
    scatter_.add(features(i), v.items().first(singles), scale, w.data());
    for (const Part& part : v.items().subspan(singles)) {
      weights[static_cast<std::size_t>(part.id) - labels_] += scale * part.value;
    }
  }

  double squared_norm(Index i, const Parts& v) override { return inner_product(i, v, v); }

  double inner_product(Index i, const Parts& u, const Parts& v) override {
    double singles = 0.0;
    double pairs = 0.0;
    auto b = v.begin();
    for (const Part& a : u) {
      while (b != v.end() && b->id < a.id) ++b;
      if (b == v.end()) break;
      if (b->id != a.id) continue;
      (a.id < static_cast<Index>(labels_) ? singles : pairs) += a.value * b->value;
    }
    return singles * problem_.squared_norms[static_cast<std::size_t>(i)] + pairs;
  }

  bool has_recognition() const override { return true; }
  bool recognize(Index i, const Parts& parts, Corner& out) override {
    const std::span<const std::uint8_t> truth = truth_of(i);
    std::copy(truth.begin(), truth.end(), on_.begin());
    for (const Part& part : parts) {
      if (part.id < 0 || part.id >= static_cast<Index>(labels_)) continue;
      on_[static_cast<std::size_t>(part.id)] = part.value < 0.0 ? 1 : 0;
    }
    if (data_.constraints && first_broken(data_.constraints->rules, on_)) return false;
    set_corner(truth, out);
    return out.parts == parts;
  }

 private:
  FeatureRow features(Index i) const { return data_.inputs.row(static_cast<std::size_t>(i)); }
  std::span<const std::uint8_t> truth_of(Index i) const {
    return std::span(data_.sets).subspan(static_cast<std::size_t>(i) * labels_, labels_);
  }
  template <class Number>
  Number* pair_weights(Number* w) const {
    return w + problem_.layout.pairs();
  }
  /// The decoder's view of scores of labels and, behind the labels of `scores`, of pairs.
  BinaryPairScores view(const double* singles, const double* scores) const {
    return {labels_, singles, pairs_ > 0 ? scores + labels_ : nullptr};
  }
  std::size_t num_singles(const Parts& v) const {
    const auto pairs = std::partition_point(v.begin(), v.end(), [this](const Part& part) {
      return part.id < static_cast<Index>(labels_);
    });
    return static_cast<std::size_t>(pairs - v.begin());
  }

  /// The corner of the set on_.
  void set_corner(std::span<const std::uint8_t> truth, Corner& out) {
    out.set_truth();
    for (std::size_t l = 0; l < labels_; ++l) {
      if (on_[l] == truth[l]) continue;
      out.parts.append(static_cast<Index>(l), truth[l] - on_[l]);
      if (problem_.is_weighted()) out.loss += problem_.cost(l, truth[l] != 0);
    }
    if (!problem_.is_weighted()) {
      out.loss = static_cast<double>(out.parts.size()) * problem_.unit_loss;
    }
    if (pairs_ == 0 || out.parts.empty()) return;
    for (std::size_t a = 0; a < labels_; ++a) {
      if (on_[a] == 0 && truth[a] == 0) continue;
      for (std::size_t b = a + 1; b < labels_; ++b) {
        const int difference = (truth[a] & truth[b]) - (on_[a] & on_[b]);
        if (difference == 0) continue;
        out.parts.append(static_cast<Index>(labels_ + pair_index(labels_, a, b)), difference);
      }
    }
  }

  const MultilabelProblemData& problem_;
  const MultilabelData& data_;
  std::size_t labels_;
  std::size_t pairs_;
  std::vector<double> row_;  ///< one number per label
  std::vector<std::uint8_t> on_;
  LabelScatter scatter_;
  SetDecoder decoder_;
};

/// Labels are variables that are off or on, pairs of labels factors that score something where both
/// are on. All examples share a graph.
std::shared_ptr<const FactorGraph> make_graph(const MultilabelLayout& layout) {
  constexpr Index kNone = FactorGraph::kNoPart;
  auto graph = std::make_shared<FactorGraph>();
  for (Index l = 0; l < layout.labels; ++l) add_variable(*graph, std::array{kNone, l});
  Index pair = layout.labels;
  for (Index a = 0; a < layout.labels && layout.num_pairs() > 0; ++a) {
    for (Index b = a + 1; b < layout.labels; ++b) {
      add_factor(*graph, std::array{a, b}, std::array{kNone, kNone, kNone, pair++});
    }
  }
  return graph;
}

BinaryGraphs::Content make_graphs(const MultilabelProblemData& problem) {
  const MultilabelData& data = *problem.examples;
  BinaryGraphs::Content all;
  all.graphs.push_back(make_graph(problem.layout));
  for (Index i = 0; i < data.size(); ++i) {
    all.starts.push_back(all.starts.back() + static_cast<std::size_t>(data.labels));
  }
  all.truth.assign(data.sets.begin(), data.sets.end());
  const auto labels = static_cast<std::size_t>(data.labels);
  for (std::size_t at = 0; at < data.sets.size(); ++at) {
    all.costs.push_back(problem.cost(at % labels, data.sets[at] != 0));
  }
  return all;
}

const std::vector<std::string> kNoLines;

class MultilabelProblem final : public Problem {
 public:
  MultilabelProblem(std::shared_ptr<const MultilabelData> data, Couplings couplings,
                    MultilabelLoss loss)
      : loss_(loss),
        data_{data, {data->attributes, data->labels, couplings}, 1.0, squared_norms(data->inputs)},
        graphs_([this] { return make_graphs(data_); }) {
    if (loss == MultilabelLoss::kNormalizedHamming) data_.unit_loss = 1.0 / data->labels;
  }

  Index num_blocks() const override { return data_.examples->size(); }
  Index dimension() const override { return data_.layout.dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<MultilabelOracle>(data_);
  }
  std::vector<WeightGroup> weight_groups() const override {
    const Index pairs = data_.layout.pairs();
    std::vector<WeightGroup> groups{{"labels", 0, pairs}};
    if (data_.layout.num_pairs() > 0) groups.push_back({"pairs", pairs, dimension()});
    groups.push_back({"all", 0, dimension()});
    return groups;
  }
  double oracle_cost() const override {
    // Scores of labels as in MulticlassProblem; what the decoder takes grows with the pairs.
    // Calibrated on yeast and medical.
    return 0.2 * data_.layout.labels + 0.3 * static_cast<double>(data_.layout.num_pairs());
  }
  std::unique_ptr<KernelInputs> kernel_inputs() const override {
    auto rest = std::make_shared<MultilabelData>(*data_.examples);
    rest->inputs = empty_rows(rest->inputs);
    rest->attributes = 0;
    return std::make_unique<RowInputs>(
        data_.examples->inputs, nullptr, data_.layout.labels,
        std::make_unique<MultilabelProblem>(std::move(rest), data_.layout.couplings, loss_));
  }
  /// Rules about many labels at once are no pairs of labels.
  const FactorGraphs* factor_graphs() const override {
    return data_.examples->constraints ? nullptr : &graphs_;
  }
  std::uint64_t fingerprint() const override {
    const MultilabelData& data = *data_.examples;
    const std::array<Index, 4> shape{data.attributes, data.labels, data_.layout.num_pairs(),
                                     static_cast<Index>(loss_)};
    std::uint64_t hash = XXH3_64bits(shape.data(), sizeof shape);
    hash = XXH3_64bits_withSeed(data.sets.data(), data.sets.size(), hash);
    for (const std::vector<double>* costs : {&data.missed, &data.invented}) {
      if (costs->empty()) continue;
      hash = XXH3_64bits_withSeed(costs->data(), costs->size() * sizeof(double), hash);
    }
    for (const std::string& line : data.constraints ? data.constraints->lines : kNoLines) {
      hash = XXH3_64bits_withSeed(line.data(), line.size() + 1, hash);
    }
    data.inputs.hash_into(hash);
    return hash;
  }

 private:
  MultilabelLoss loss_;
  MultilabelProblemData data_;
  BinaryGraphs graphs_;
};

}  // namespace

std::unique_ptr<Problem> make_multilabel_problem(std::shared_ptr<const MultilabelData> data,
                                                 Couplings couplings, MultilabelLoss loss) {
  if (data->size() < 1) throw InputError("there are no examples to train on");
  if (data->labels < 1) throw InputError("there are no labels to learn");
  const auto labels = static_cast<std::size_t>(data->labels);
  if (data->sets.size() != data->inputs.num_rows() * labels) {
    throw InputError(fmt::format("{} entries of label sets for {} examples with {} labels",
                                 data->sets.size(), data->size(), labels));
  }
  if (std::any_of(data->sets.begin(), data->sets.end(), [](std::uint8_t on) { return on > 1; })) {
    throw InputError("label sets hold a number other than 0 and 1");
  }
  const auto is_cost = [](double cost) { return std::isfinite(cost) && cost > 0.0; };
  for (const std::vector<double>* costs : {&data->missed, &data->invented}) {
    if (data->missed.empty() && data->invented.empty()) break;
    if (costs->size() == labels && std::all_of(costs->begin(), costs->end(), is_cost)) continue;
    throw InputError("what labels cost must be a positive number for each of them, both ways");
  }
  for (std::size_t i = 0; i < data->inputs.num_rows() && data->constraints; ++i) {
    const auto broken =
        first_broken(data->constraints->rules, std::span(data->sets).subspan(i * labels, labels));
    if (!broken) continue;
    throw InputError(fmt::format(
        "example {}: its labels break the constraint '{}'; correct its labels or the constraints",
        i + 1, data->constraints->lines[*broken]));
  }
  return std::make_unique<MultilabelProblem>(std::move(data), couplings, loss);
}

BinaryPairScores MultilabelClassifier::scores(const FeatureRows& inputs, std::size_t row) {
  singles_.resize(on_.size());
  if (kernel_) {
    kernel_->score(inputs.row(row), singles_.data());
  } else {
    score_rows(inputs, row, 1, w_.data(), on_.size(), singles_.data());
  }
  const double* pairs = layout_.num_pairs() > 0 ? w_.data() + layout_.pairs() : nullptr;
  return {on_.size(), singles_.data(), pairs};
}

std::span<const std::uint8_t> MultilabelClassifier::classify(const FeatureRows& inputs,
                                                             std::size_t row) {
  is_proven_ = decoder_.maximize(scores(inputs, row), on_).is_exact;
  return on_;
}

}  // namespace gapwise::internal
