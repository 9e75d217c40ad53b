#include "tasks/multiclass/problem.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gapwise/errors.h"
#include "infer/sum_product.h"
#include "tasks/shared/label_rows.h"
#include "tasks/shared/label_scatter.h"
#include "tasks/shared/row_inputs.h"

namespace gapwise::internal {
namespace {

/// What is computed once for all oracles.
struct MulticlassProblemData {
  std::shared_ptr<const MulticlassData> examples;
  std::vector<double> squared_norms;  ///< |x_i|^2
};

/// The largest of `size` scores; the first of equal ones.
std::size_t first_largest(const double* scores, std::size_t size) {
  return static_cast<std::size_t>(std::max_element(scores, scores + size) - scores);
}

/// Part k of an example is "class k".
class MulticlassOracle final : public Oracle {
 public:
  explicit MulticlassOracle(const MulticlassProblemData& problem)
      : problem_(problem),
        data_(*problem.examples),
        classes_(static_cast<std::size_t>(data_.classes)),
        row_(classes_),
        scatter_(classes_) {}

  void score(Index i, Weights w, PartScores& theta) override {
    score_rows(data_.inputs, static_cast<std::size_t>(i), 1, w.data(), classes_,
               theta.resize(classes_).data());
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    const std::size_t truth = truth_of(i);
    std::copy_n(theta.values().data(), classes_, row_.data());
    if (augment == Augment::kLoss) {
      for (std::size_t k = 0; k < classes_; ++k) row_[k] += cost(truth, k);
    }
    set_corner(truth, first_largest(row_.data(), classes_), out);
  }

  bool has_recognition() const override { return true; }
  bool recognize(Index i, const Parts& parts, Corner& out) override {
    std::size_t found = truth_of(i);
    for (const Part& part : parts) {
      if (part.id < 0 || part.id >= static_cast<Index>(classes_)) return false;
      if (part.value < 0.0) found = static_cast<std::size_t>(part.id);
    }
    set_corner(truth_of(i), found, out);
    return out.parts == parts;
  }

  void set_corner(std::size_t truth, std::size_t best, Corner& out) const {
    out.set_truth();
    if (best == truth) return;
    const double sign = truth < best ? 1.0 : -1.0;  // +1 for the truth, which may come second
    out.parts.append(static_cast<Index>(std::min(truth, best)), sign);
    out.parts.append(static_cast<Index>(std::max(truth, best)), -sign);
    out.loss = cost(truth, best);
  }

  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    score_labels(features(i), ids, classes_, w.data(), out.data());
  }

  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    describe_labels(features(i), ids, 0, data_.classes, out);
    return true;
  }

  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    scatter_.add(features(i), v.items(), scale, w.data());
  }

  double squared_norm(Index i, const Parts& v) override { return inner_product(i, v, v); }

  double inner_product(Index i, const Parts& u, const Parts& v) override {
    return u.dot(v) * problem_.squared_norms[static_cast<std::size_t>(i)];
  }

  bool has_expectations() const override { return true; }
  void part_costs(Index i, PartScores& costs) override {
    const std::span<double> all = costs.resize(classes_);
    for (std::size_t k = 0; k < classes_; ++k) all[k] = cost(truth_of(i), k);
  }
  double expect(Index i, const PartScores& logits, Parts& mean) override {
    const ChainScores scores{1, static_cast<int>(classes_), logits.values().data(), nullptr, false};
    const double log_sum = sum_product(scores, sums_, row_, {});
    row_[truth_of(i)] -= 1.0;
    mean.assign_negative(row_);
    return log_sum - logits[static_cast<Index>(truth_of(i))];
  }
  double radius(Index i) override {
    return std::sqrt(0.5 * problem_.squared_norms[static_cast<std::size_t>(i)]);
  }

 private:
  FeatureRow features(Index i) const { return data_.inputs.row(static_cast<std::size_t>(i)); }
  std::size_t truth_of(Index i) const {
    return static_cast<std::size_t>(data_.labels[static_cast<std::size_t>(i)]);
  }
  double cost(std::size_t truth, std::size_t k) const {
    if (data_.costs.empty()) return k == truth ? 0.0 : 1.0;
    return data_.costs[truth * classes_ + k];
  }

  const MulticlassProblemData& problem_;
  const MulticlassData& data_;
  std::size_t classes_;
  std::vector<double> row_;  ///< one number per class
  LabelScatter scatter_;
  SumProductScratch sums_;
};

class MulticlassProblem final : public Problem {
 public:
  explicit MulticlassProblem(std::shared_ptr<const MulticlassData> data)
      : data_{data, squared_norms(data->inputs)} {}

  Index num_blocks() const override { return data_.examples->size(); }
  Index dimension() const override { return data_.examples->attributes * data_.examples->classes; }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<MulticlassOracle>(data_);
  }
  double oracle_cost() const override {
    // Scoring all classes fetches whole rows of weights, which is cheap per part; compare
    // SequenceProblem.
    return 0.2 * static_cast<double>(data_.examples->classes);
  }
  std::unique_ptr<KernelInputs> kernel_inputs() const override {
    auto rest = std::make_shared<MulticlassData>(*data_.examples);
    rest->inputs = empty_rows(rest->inputs);
    rest->attributes = 0;
    return std::make_unique<RowInputs>(data_.examples->inputs, nullptr, data_.examples->classes,
                                       std::make_unique<MulticlassProblem>(std::move(rest)));
  }
  std::uint64_t fingerprint() const override {
    const MulticlassData& data = *data_.examples;
    const std::array<Index, 2> shape{data.attributes, data.classes};
    std::uint64_t hash = XXH3_64bits(shape.data(), sizeof shape);
    hash =
        XXH3_64bits_withSeed(data.labels.data(), data.labels.size() * sizeof data.labels[0], hash);
    hash = XXH3_64bits_withSeed(data.costs.data(), data.costs.size() * sizeof(double), hash);
    data.inputs.hash_into(hash);
    return hash;
  }

 private:
  MulticlassProblemData data_;
};

void check_costs(const MulticlassData& data) {
  const auto classes = static_cast<std::size_t>(data.classes);
  if (data.costs.empty()) return;
  if (data.costs.size() != classes * classes) {
    throw InputError(fmt::format("{} costs for {} classes; there must be one for each pair",
                                 data.costs.size(), classes));
  }
  for (std::size_t at = 0; at < data.costs.size(); ++at) {
    const double cost = data.costs[at];
    const bool is_right = at / classes == at % classes;
    if (!std::isfinite(cost) || cost < 0.0 || (is_right && cost != 0.0)) {
      throw InputError(
          fmt::format("the cost of class {} where {} is right is {}; costs are finite, not "
                      "negative, and 0 for the right class",
                      at % classes, at / classes, cost));
    }
  }
}

}  // namespace

std::unique_ptr<Problem> make_multiclass_problem(std::shared_ptr<const MulticlassData> data) {
  if (data->size() < 1) throw InputError("there are no examples to train on");
  if (data->inputs.num_rows() != data->labels.size()) {
    throw InputError(fmt::format("{} rows of features for {} labels; there must be one for each",
                                 data->inputs.num_rows(), data->labels.size()));
  }
  for (const std::int32_t label : data->labels) {
    if (label < 0 || label >= data->classes) {
      throw InputError(fmt::format("training data hold class number {}; classes are 0..{}", label,
                                   data->classes - 1));
    }
  }
  check_costs(*data);
  return std::make_unique<MulticlassProblem>(std::move(data));
}

std::span<const double> MulticlassClassifier::scores(const FeatureRows& inputs, std::size_t row) {
  if (kernel_) {
    kernel_->score(inputs.row(row), scores_.data());
  } else {
    score_rows(inputs, row, 1, w_.data(), scores_.size(), scores_.data());
  }
  return scores_;
}

std::int32_t MulticlassClassifier::classify(const FeatureRows& inputs, std::size_t row) {
  return static_cast<std::int32_t>(first_largest(scores(inputs, row).data(), scores_.size()));
}

}  // namespace gapwise::internal
