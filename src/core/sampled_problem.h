#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/decorated_problem.h"
#include "core/forwarding_oracle.h"

namespace gapwise::internal {

/// Some of the blocks of another problem that has factor graphs, for trials of factorwise solvers.
class SampledProblem final : public DecoratedProblem {
 public:
  /// `inner` outlives the problem; `blocks` are some of its numbers.
  SampledProblem(const Problem& inner, std::vector<Index> blocks)
      : DecoratedProblem(inner,
                         [this](std::unique_ptr<Oracle> oracle) {
                           return std::make_unique<SampledOracle>(std::move(oracle), blocks_);
                         }),
        blocks_(std::move(blocks)),
        graphs_(*inner.factor_graphs(), blocks_) {}

  Index num_blocks() const override { return std::ssize(blocks_); }
  std::unique_ptr<KernelInputs> kernel_inputs() const override { return nullptr; }
  const FactorGraphs* factor_graphs() const override { return &graphs_; }

 private:
  using Blocks = std::vector<Index>;

  class SampledOracle final : public ForwardingOracle {
   public:
    SampledOracle(std::unique_ptr<Oracle> inner, const Blocks& blocks)
        : ForwardingOracle(std::move(inner)), blocks_(blocks) {}

    void score(Index i, Weights w, PartScores& theta) override {
      ForwardingOracle::score(of(i), w, theta);
    }
    void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
      ForwardingOracle::decode(of(i), theta, augment, out);
    }
    void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
      ForwardingOracle::argmax(of(i), w, theta, out);
    }
    void score_some(Index i, Weights w, std::span<const Index> ids,
                    std::span<double> out) override {
      ForwardingOracle::score_some(of(i), w, ids, out);
    }
    void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
      ForwardingOracle::scatter(of(i), v, scale, w);
    }
    double squared_norm(Index i, const Parts& v) override {
      return ForwardingOracle::squared_norm(of(i), v);
    }
    double inner_product(Index i, const Parts& u, const Parts& v) override {
      return ForwardingOracle::inner_product(of(i), u, v);
    }
    bool has_expectations() const override { return false; }
    bool has_projection() const override { return false; }
    bool has_recognition() const override { return false; }

   private:
    Index of(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }

    const Blocks& blocks_;
  };

  class SampledGraphs final : public FactorGraphs {
   public:
    SampledGraphs(const FactorGraphs& inner, const Blocks& blocks)
        : inner_(inner), blocks_(blocks) {}

    const FactorGraph& graph(Index i) const override { return inner_.graph(of(i)); }
    std::span<const std::int32_t> truth(Index i) const override { return inner_.truth(of(i)); }
    double cost(Index i, Index v, Index s) const override { return inner_.cost(of(i), v, s); }

   private:
    Index of(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }

    const FactorGraphs& inner_;
    const Blocks& blocks_;
  };

  Blocks blocks_;
  SampledGraphs graphs_;
};

}  // namespace gapwise::internal
