#pragma once

#include <memory>
#include <optional>

#include "gapwise/kernel.h"
#include "gapwise/problem.h"

namespace gapwise::internal {

/// Which kernel, with how much memory and how many threads.
struct KernelSettings {
  KernelKind kind = KernelKind::kLinear;
  Index degree = 2;
  std::optional<double> gamma;  ///< not set: 1 / mean of |x|^2 over the inputs
  double offset = 1.0;
  std::size_t cache_bytes = std::size_t{512} << 20;
  int threads = 1;
};

/// A problem whose inputs meet in a kernel instead of an inner product. The weight vector in
/// feature space is never formed; its place is taken by coordinates that are linear in it, so that
/// solvers that leave inner products to the oracle can move in them (Oracle::has_plain_weights):
///   - the scores f_s(k) = <w, feature of input s with label k> of all inputs s and labels k,
///   - the coefficients b_s(k) of w = sum_s b_s(k) (feature of input s with label k) + rest,
///   - the weights of the rest.
/// A step of block i changes b at the inputs of i, and f everywhere by a row of kernel values per
/// input of i. Scoring reads f, so a decode or a gap pass needs no kernel value at all. |w|^2 is
/// <f, b> + |rest|^2, not the sum of squares: ask Oracle::squared_length.
class KernelProblem final : public Problem {
 public:
  /// OptionError if the problem has no inputs; InputError if kernel values leave the range of a
  /// double. `inner` outlives the problem.
  KernelProblem(const Problem& inner, const KernelSettings& settings);
  ~KernelProblem() override;

  Index num_blocks() const override;
  Index dimension() const override;
  std::unique_ptr<Oracle> make_oracle() const override;
  double oracle_cost() const override;
  bool is_relaxed() const override;
  std::uint64_t fingerprint() const override;

  const Kernel& kernel() const;
  /// What w stands for. Coefficients of at most 1e-15 of the largest are rounding errors and left
  /// out.
  KernelExpansion expansion(Weights w) const;
  /// How many blocks have an input in the expansion of w.
  Index count_support(Weights w) const;

 private:
  class Impl;
  class KernelOracle;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gapwise::internal
