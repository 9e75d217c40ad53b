#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "gapwise/problem.h"

namespace gapwise::internal {

/// Another problem with its oracles wrapped, those behind its kernel inputs as well.
class DecoratedProblem : public Problem {
 public:
  using Wrap = std::function<std::unique_ptr<Oracle>(std::unique_ptr<Oracle> inner)>;

  /// `inner` outlives the problem. A call of a wrapped oracle costs `extra` more (oracle_cost).
  DecoratedProblem(const Problem& inner, Wrap wrap, double extra = 0.0)
      : inner_(inner), wrap_(std::move(wrap)), extra_(extra) {}

  Index num_blocks() const override { return inner_.num_blocks(); }
  Index dimension() const override { return inner_.dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override { return wrap_(inner_.make_oracle()); }
  std::vector<WeightGroup> weight_groups() const override { return inner_.weight_groups(); }
  double oracle_cost() const override { return inner_.oracle_cost() + extra_; }
  std::unique_ptr<KernelInputs> kernel_inputs() const override;
  const FactorGraphs* factor_graphs() const override { return inner_.factor_graphs(); }
  bool is_relaxed() const override { return inner_.is_relaxed(); }
  std::span<const double> block_weights() const override { return inner_.block_weights(); }
  std::uint64_t fingerprint() const override { return inner_.fingerprint(); }
  const Problem& inner() const { return inner_; }

 private:
  class Inputs;

  const Problem& inner_;
  Wrap wrap_;
  double extra_;
};

/// The same inputs; the rest, which decodes for them, is decorated as the problem is.
class DecoratedProblem::Inputs final : public KernelInputs {
 public:
  Inputs(std::unique_ptr<KernelInputs> inner, const Wrap& wrap, double extra)
      : inner_(std::move(inner)), rest_(inner_->rest(), wrap, extra) {}

  Index num_inputs() const override { return inner_->num_inputs(); }
  int num_labels() const override { return inner_->num_labels(); }
  Index first_input(Index i) const override { return inner_->first_input(i); }
  void products(Index t, Index begin, Index end, double* out) const override {
    inner_->products(t, begin, end, out);
  }
  const Problem& rest() const override { return rest_; }

 private:
  std::unique_ptr<KernelInputs> inner_;
  DecoratedProblem rest_;
};

inline std::unique_ptr<KernelInputs> DecoratedProblem::kernel_inputs() const {
  std::unique_ptr<KernelInputs> inputs = inner_.kernel_inputs();
  return inputs ? std::make_unique<Inputs>(std::move(inputs), wrap_, extra_) : nullptr;
}

}  // namespace gapwise::internal
