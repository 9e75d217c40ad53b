#include "core/weighted_problem.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <cmath>
#include <utility>

#include "core/decorated_problem.h"
#include "core/forwarding_oracle.h"
#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

/// Beyond these a square of a feature times a weight might leave the range of a double.
constexpr double kSmallestWeight = 1e-50;
constexpr double kLargestWeight = 1e50;

class WeightedProblem final : public DecoratedProblem {
 public:
  WeightedProblem(const Problem& inner, std::vector<double> weights)
      : DecoratedProblem(inner, [](std::unique_ptr<Oracle> oracle) { return oracle; }),
        weights_(std::move(weights)) {}

  std::span<const double> block_weights() const override { return weights_; }
  std::uint64_t fingerprint() const override {
    return XXH3_64bits_withSeed(weights_.data(), weights_.size() * sizeof(double),
                                DecoratedProblem::fingerprint());
  }

 private:
  std::vector<double> weights_;
};

/// B_i and L_i of another oracle times a factor for each block.
class ScaledOracle final : public ForwardingOracle {
 public:
  ScaledOracle(std::unique_ptr<Oracle> inner, const std::vector<double>& factors)
      : ForwardingOracle(std::move(inner)), factors_(factors) {}

  void score(Index i, Weights w, PartScores& theta) override {
    ForwardingOracle::score(i, w, theta);
    grow(i, theta);
  }
  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    const double factor = at(i);
    if (factor == 1.0) return ForwardingOracle::decode(i, theta, augment, out);
    const std::span<double> shrunk = shrunk_.resize(theta.values().size());
    for (std::size_t r = 0; r < shrunk.size(); ++r) shrunk[r] = theta.values()[r] / factor;
    ForwardingOracle::decode(i, shrunk_, augment, out);
    grow(i, out);
  }
  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    ForwardingOracle::argmax(i, w, theta, out);
    grow(i, theta);
    grow(i, out);
  }
  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    ForwardingOracle::score_some(i, w, ids, out);
    if (const double factor = at(i); factor != 1.0) {
      for (std::size_t k = 0; k < ids.size(); ++k) out[k] *= factor;
    }
  }
  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    if (!ForwardingOracle::describe(i, ids, out)) return false;
    out.scale(at(i));
    return true;
  }
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    ForwardingOracle::scatter(i, v, at(i) * scale, w);
  }
  double squared_norm(Index i, const Parts& v) override {
    return at(i) * at(i) * ForwardingOracle::squared_norm(i, v);
  }
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    return at(i) * at(i) * ForwardingOracle::inner_product(i, u, v);
  }
  void part_costs(Index i, PartScores& costs) override {
    ForwardingOracle::part_costs(i, costs);
    grow(i, costs);
  }
  double radius(Index i) override { return at(i) * ForwardingOracle::radius(i); }
  bool recognize(Index i, const Parts& parts, Corner& out) override {
    if (!ForwardingOracle::recognize(i, parts, out)) return false;
    grow(i, out);
    return true;
  }
  std::optional<PartSizes> part_sizes(Index i) override {
    std::optional<PartSizes> sizes = ForwardingOracle::part_sizes(i);
    if (sizes) sizes->length *= at(i);
    return sizes;
  }

 private:
  double at(Index i) const { return factors_[static_cast<std::size_t>(i)]; }
  void grow(Index i, PartScores& theta) const {
    if (const double factor = at(i); factor != 1.0) theta.scale(factor);
  }
  void grow(Index i, Corner& corner) const {
    corner.loss *= at(i);
    if (corner.upper_bound) *corner.upper_bound *= at(i);
  }

  const std::vector<double>& factors_;
  PartScores shrunk_;
};

class ScaledGraphs final : public FactorGraphs {
 public:
  ScaledGraphs(const FactorGraphs& inner, const std::vector<double>& factors)
      : inner_(inner), factors_(factors) {}

  const FactorGraph& graph(Index i) const override { return inner_.graph(i); }
  std::span<const std::int32_t> truth(Index i) const override { return inner_.truth(i); }
  double cost(Index i, Index v, Index s) const override {
    return factors_[static_cast<std::size_t>(i)] * inner_.cost(i, v, s);
  }

 private:
  const FactorGraphs& inner_;
  const std::vector<double>& factors_;
};

class ScaledProblem final : public DecoratedProblem {
 public:
  ScaledProblem(const Problem& inner, std::vector<double> factors, Hinge hinge)
      : DecoratedProblem(inner,
                         [this](std::unique_ptr<Oracle> oracle) {
                           return std::make_unique<ScaledOracle>(std::move(oracle), factors_);
                         }),
        factors_(std::move(factors)),
        hinge_(hinge) {
    if (const FactorGraphs* const graphs = inner.factor_graphs()) {
      graphs_ = std::make_unique<ScaledGraphs>(*graphs, factors_);
    }
  }

  std::span<const double> block_weights() const override { return {}; }
  /// A kernel would be one of scaled inputs; it is the kernel form that is to be scaled.
  std::unique_ptr<KernelInputs> kernel_inputs() const override { return nullptr; }
  const FactorGraphs* factor_graphs() const override { return graphs_.get(); }
  std::uint64_t fingerprint() const override {
    const std::uint64_t inner = DecoratedProblem::fingerprint();
    // The losses of the same outputs differ between the two.
    return hinge_ == Hinge::kSquared ? XXH3_64bits(&inner, sizeof inner) : inner;
  }

 private:
  std::vector<double> factors_;
  Hinge hinge_;
  std::unique_ptr<ScaledGraphs> graphs_;
};

}  // namespace

std::unique_ptr<Problem> make_weighted_problem(const Problem& inner, std::vector<double> weights) {
  if (std::ssize(weights) != inner.num_blocks()) {
    throw OptionError(
        fmt::format("there are {} weights for {} examples; give one for each, in their order",
                    weights.size(), inner.num_blocks()));
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] >= kSmallestWeight && weights[i] <= kLargestWeight) continue;
    throw OptionError(
        fmt::format("the weight of example {} is {}; give positive numbers from {} to {}, and "
                    "leave examples out that should not count",
                    i + 1, weights[i], kSmallestWeight, kLargestWeight));
  }
  return std::make_unique<WeightedProblem>(inner, std::move(weights));
}

std::unique_ptr<Problem> make_scaled_problem(const Problem& inner, std::span<const double> weights,
                                             Hinge hinge) {
  std::vector<double> factors(weights.begin(), weights.end());
  if (hinge == Hinge::kSquared) {
    for (double& factor : factors) factor = std::sqrt(factor);
  }
  return std::make_unique<ScaledProblem>(inner, std::move(factors), hinge);
}

}  // namespace gapwise::internal
