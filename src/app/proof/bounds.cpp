// Bounds of primal and dual that hold for the real numbers behind the doubles; docs/design/proof.md
// derives every one of them. With u = 2^-53, a sum of k products that is computed in any order is
// off by at most gamma(k + 1) times the sum of their sizes. This file knows problems and no solver.

#include "app/proof/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

using Long = long double;

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2.0;
constexpr Long kLongUnit = std::numeric_limits<Long>::epsilon() / 2.0L;
/// Multipliers of a block may miss 1 by so much; weights are brought back to 1 now and then only.
constexpr double kSumTolerance = 1e-9;
/// Covers the few roundings of bounds themselves.
constexpr double kSlack = 1.0 + 1e-12;

double gamma(double k) {
  return kSlack * k * kUnit / (1.0 - k * kUnit);
}
double long_gamma(double k) {
  return kSlack * k * static_cast<double>(kLongUnit);
}

/// A sum in extended precision, with the sum of sizes that its error is relative to.
class LongSum {
 public:
  void add(Long x) {
    sum_ += x;
    size_ += std::abs(x);
    count_ += 1.0;
  }
  double value() const { return static_cast<double>(sum_); }
  double error() const {
    return static_cast<double>(size_) * long_gamma(count_ + 4.0) + 2.0 * kUnit * std::abs(value());
  }

 private:
  Long sum_ = 0.0L;
  Long size_ = 0.0L;
  double count_ = 0.0;
};

[[noreturn]] void refuse(Index i, const std::string& what) {
  throw InputError(fmt::format("the proof does not fit example {} (counted from 0): {}", i, what));
}

PartSizes sizes_of(Oracle& oracle, Index i, std::size_t num_parts, Index dimension) {
  if (const std::optional<PartSizes> known = oracle.part_sizes(i)) return *known;
  PartSizes sizes;
  sizes.count = static_cast<double>(num_parts);
  sizes.terms = static_cast<double>(dimension);
  for (std::size_t r = 0; r < num_parts; ++r) {
    Parts part;
    part.append(static_cast<Index>(r), 1.0);
    sizes.length = std::max(sizes.length, std::sqrt(oracle.squared_norm(i, part)));
  }
  sizes.length *= 1.0 + gamma(sizes.terms + 4.0);
  return sizes;
}

/// The largest H_i of block i at w, at least 0.
struct BlockBound {
  Bounded most;
  PartSizes sizes;
};

BlockBound bound_block(Oracle& oracle, Index i, Weights w, double length, PartScores& theta,
                       Corner& corner) {
  oracle.argmax(i, w, theta, corner);
  if (!corner.is_exact && !corner.upper_bound) {
    throw InputError(fmt::format(
        "the decoder is not exact for example {} (counted from 0) and has no upper bound, so "
        "nothing can be proven",
        i));
  }
  BlockBound block;
  block.sizes = sizes_of(oracle, i, theta.values().size(), std::ssize(w));
  const PartSizes& sizes = block.sizes;
  double highest = 0.0;
  for (const double score : theta.values()) highest = std::max(highest, std::abs(score));
  double own = corner.loss;
  for (const Part& part : corner.parts) own += std::abs(part.value * theta[part.id]);

  Bounded& most = block.most;
  most.value = std::max(0.0, violation(corner.loss, corner.parts, theta));
  if (!corner.is_exact) most.value = std::max(most.value, *corner.upper_bound);
  const double score_error = gamma(sizes.terms + 3.0) * length * sizes.length;
  const double size = most.value + 2.0 * sizes.count * (highest + score_error);
  const auto parts = static_cast<double>(theta.values().size());
  most.error = sizes.count * score_error + 4.0 * gamma(parts + 64.0) * size +
               gamma(static_cast<double>(corner.parts.size()) + 3.0) * own;
  return block;
}

void check_decoder(Index i, const BlockBound& block, const std::vector<WeightedOutput>& outputs,
                   const PartScores& theta, Oracle& oracle) {
  Corner known;
  for (const WeightedOutput& output : outputs) {
    if (!oracle.recognize(i, output.parts, known)) {
      refuse(i, "it gives weight to parts that no output of the example has");
    }
    const double found = violation(known.loss, known.parts, theta);
    if (found <= block.most.high() + block.most.error) continue;
    refuse(i, fmt::format("an output of it has L - <w, psi> = {}, where the decoder finds at most "
                          "{}; the decoder is not exact",
                          found, block.most.value));
  }
}

Long squared_length(Weights w, double& count) {
  Long sum = 0.0L;
  for (const double x : w) sum += static_cast<Long>(x) * x;
  count = static_cast<double>(w.size());
  return sum;
}

}  // namespace

Bounded bound_length(Weights w) {
  double count = 0.0;
  const auto length = static_cast<double>(std::sqrt(squared_length(w, count)));
  return {length, length * (long_gamma(count + 4.0) + 4.0 * kUnit)};
}

Bounded bound_primal(const ProofObjective& objective, Weights w, const DualOutputs& outputs,
                     const Threads& threads, std::vector<PartSizes>& sizes) {
  const Index n = objective.problem.num_blocks();
  const Bounded length = bound_length(w);
  std::vector<Bounded> blocks(static_cast<std::size_t>(n));
  std::vector<std::exception_ptr> failures(blocks.size());
  sizes.resize(blocks.size());
  threads.run(n, [&](Index begin, Index end, int) {
    const auto oracle = objective.problem.make_oracle();
    PartScores theta;
    Corner corner;
    for (Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      try {
        const BlockBound block = bound_block(*oracle, i, w, length.high(), theta, corner);
        check_decoder(i, block, outputs[at], theta, *oracle);
        blocks[at] = block.most;
        sizes[at] = block.sizes;
      } catch (...) {
        failures[at] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& failure : failures) {  // the first one, whatever the threads
    if (failure) std::rethrow_exception(failure);
  }
  const bool is_squared = objective.kind == Objective::kL2;
  LongSum values;
  LongSum errors;
  for (const Bounded& block : blocks) {
    values.add(is_squared ? static_cast<Long>(block.value) * block.value : Long{block.value});
    errors.add(is_squared ? block.error * (2.0 * block.value + block.error) : block.error);
  }
  const auto count = static_cast<double>(n);
  const double regularizer = 0.5 * objective.lambda * length.value * length.value;
  const double regularizer_error =
      objective.lambda * length.error * length.high() + 4.0 * kUnit * regularizer;
  const double mean = values.value() / count;
  const double value = regularizer + mean;
  const double error = (values.error() + errors.value() + errors.error()) / count +
                       regularizer_error + 4.0 * kUnit * (value + mean);
  return {value, kSlack * error};
}

Bounded bound_dual(const ProofObjective& objective, const DualOutputs& outputs,
                   std::span<const PartSizes> sizes, std::vector<double>& w) {
  const bool is_squared = objective.kind == Objective::kL2;
  const auto n = static_cast<double>(objective.problem.num_blocks());
  const auto oracle = objective.problem.make_oracle();
  w.assign(static_cast<std::size_t>(objective.problem.dimension()), 0.0);
  LongSum ell;
  Long scattered = 0.0L;  // sum of |scale| |parts| |B_i e_r|, the size of w before it cancels
  double additions = 0.0;
  double repeats = 1.0;
  Corner corner;
  for (std::size_t at = 0; at < outputs.size(); ++at) {
    const auto i = static_cast<Index>(at);
    Long sum = 0.0L;
    Long on_outputs = 0.0L;  // without the truth, whose weight costs and changes nothing
    for (const WeightedOutput& output : outputs[at]) {
      if (!(output.weight >= 0.0)) {
        refuse(i, fmt::format("a multiplier is {}; it must be >= 0", output.weight));
      }
      sum += output.weight;
      if (!output.parts.empty()) on_outputs += output.weight;
    }
    if (!is_squared && std::abs(sum - 1.0L) > kSumTolerance) {
      refuse(i, fmt::format("its multipliers add up to {}; they must add up to 1",
                            static_cast<double>(sum)));
    }
    const double shrink = is_squared || on_outputs <= 1.0L
                              ? 1.0
                              : static_cast<double>((1.0L - kSumTolerance * 1e-3L) / on_outputs);
    for (const WeightedOutput& output : outputs[at]) {
      if (!oracle->recognize(i, output.parts, corner)) {
        refuse(i, "it gives weight to parts that no output of the example has");
      }
      const double weight = shrink * output.weight;
      ell.add(static_cast<Long>(weight) * corner.loss);
      const double scale = weight / (objective.lambda * n);
      oracle->scatter(i, output.parts, scale, w);
      Long values = 0.0L;
      for (const Part& part : output.parts) values += std::abs(part.value);
      scattered += scale * values * sizes[at].length;
      additions += static_cast<double>(output.parts.size());
      repeats = std::max(repeats, sizes[at].repeats);
    }
    if (is_squared) ell.add(-0.25L * sum * sum);
  }
  for (std::size_t j = 0; j < objective.is_nonnegative.size(); ++j) {
    if (objective.is_nonnegative[j]) w[j] = std::max(0.0, w[j]);
  }
  const Bounded length = bound_length(w);
  const double drift = gamma(additions * repeats + 8.0) * static_cast<double>(scattered);
  const double longest = length.high() + drift;
  const double value = ell.value() / n - 0.5 * objective.lambda * length.value * length.value;
  const double error =
      ell.error() / n + 0.5 * objective.lambda * (longest * longest - length.value * length.value) +
      8.0 * kUnit * (std::abs(ell.value()) / n + objective.lambda * longest * longest);
  return {value, kSlack * error};
}

}  // namespace gapwise::internal
