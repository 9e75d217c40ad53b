#include "tasks/multilabel/metrics.h"

#include <algorithm>

#include "tasks/shared/ratio.h"

namespace gapwise::internal {

void MultilabelMetrics::add(std::span<const std::uint8_t> gold,
                            std::span<const std::uint8_t> predicted, Index unknown,
                            bool is_proven) {
  for (std::size_t l = 0; l < counts_.size(); ++l) {
    counts_[l].hits += gold[l] & predicted[l];
    counts_[l].gold += gold[l];
    counts_[l].predicted += predicted[l];
  }
  const bool is_exact = unknown == 0 && std::equal(gold.begin(), gold.end(), predicted.begin());
  exact_ += is_exact ? 1 : 0;
  unknown_ += unknown;
  proven_ += is_proven ? 1 : 0;
  ++examples_;
}

double MultilabelMetrics::f1(const Counts& counts) {
  return ratio(2 * counts.hits, counts.gold + counts.predicted);
}

Metrics MultilabelMetrics::result() const {
  Counts sum{0, unknown_, 0};
  double f1s = 0.0;
  for (const Counts& counts : counts_) {
    sum.hits += counts.hits;
    sum.gold += counts.gold;
    sum.predicted += counts.predicted;
    f1s += f1(counts);
  }
  const Index decisions = examples_ * std::ssize(counts_) + unknown_;
  const Index wrong = sum.gold + sum.predicted - 2 * sum.hits;
  return {
      {.name = "hamming_accuracy", .value = ratio(decisions - wrong, decisions), .is_main = true},
      {.name = "micro_f1", .value = f1(sum)},
      {.name = "macro_f1", .value = f1s / static_cast<double>(counts_.size())},
      {.name = "exact", .value = ratio(exact_, examples_)},
      {.name = "proven_optimal", .value = ratio(proven_, examples_)}};
}

}  // namespace gapwise::internal
