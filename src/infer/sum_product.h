#pragma once

#include <span>
#include <vector>

#include "infer/viterbi.h"

namespace gapwise::internal {

/// Scratch memory of the sums, reused between calls.
struct SumProductScratch {
  std::vector<double> tops;    ///< log of the mass of all prefixes per label is top + log(mass)
  std::vector<double> masses;  ///< in [1, 2)
  std::vector<double> shares;  ///< of the previous labels in the mass of a label, per step
  std::vector<double> totals;  ///< what the shares of a label add up to
};

/// The distribution p(y) proportional to exp(score of y) over all labellings of a chain: fills in
/// the probability of each label at each position, nodes[t * labels + k], and of each transition,
/// laid out as scores.pairs (expected counts if those are the same at every position). Returns log
/// sum_y exp(score of y). Works with logarithms throughout, so scores of any finite size neither
/// overflow nor lose the likely labellings; the same bits on every instruction set. With length 1
/// it is the softmax, and `pairs` may be empty.
double sum_product(const ChainScores& scores, SumProductScratch& scratch, std::span<double> nodes,
                   std::span<double> pairs);

}  // namespace gapwise::internal
