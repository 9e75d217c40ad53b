#include "tasks/multilabel/metrics.h"

#include <algorithm>

#include "tasks/shared/ratio.h"

namespace gapwise::internal {

void MultilabelMetrics::count(std::span<const std::uint8_t> gold,
                              std::span<const std::uint8_t> predicted, Index unknown,
                              bool is_proven, std::span<double> counts) const {
  for (std::size_t l = 0; l < labels_; ++l) {
    const std::span<double> own = counts.subspan(kByLabel + kPerLabel * l, kPerLabel);
    own[kHits] += gold[l] & predicted[l];
    own[kGold] += gold[l];
    own[kPredicted] += predicted[l];
  }
  const bool is_exact = unknown == 0 && std::equal(gold.begin(), gold.end(), predicted.begin());
  counts[kExact] += is_exact ? 1.0 : 0.0;
  counts[kUnknown] += static_cast<double>(unknown);
  counts[kProven] += is_proven ? 1.0 : 0.0;
  counts[kExamples] += 1.0;
}

double MultilabelMetrics::f1(std::span<const double> label) {
  return ratio(2.0 * label[kHits], label[kGold] + label[kPredicted]);
}

std::vector<double> MultilabelMetrics::sums(std::span<const double> counts) const {
  std::vector<double> sum(kPerLabel);
  sum[kGold] = counts[kUnknown];
  for (std::size_t l = 0; l < labels_; ++l) {
    for (std::size_t k = 0; k < kPerLabel; ++k) sum[k] += of_label(counts, l)[k];
  }
  return sum;
}

double MultilabelMetrics::errors(std::span<const double> counts) const {
  const std::vector<double> sum = sums(counts);
  return sum[kGold] + sum[kPredicted] - 2.0 * sum[kHits];
}

Metrics MultilabelMetrics::metrics(std::span<const double> counts) const {
  double f1s = 0.0;
  for (std::size_t l = 0; l < labels_; ++l) f1s += f1(of_label(counts, l));
  const double decisions = counts[kExamples] * static_cast<double>(labels_) + counts[kUnknown];
  return {{.name = "hamming_accuracy",
           .value = ratio(decisions - errors(counts), decisions),
           .is_main = true},
          {.name = "micro_f1", .value = f1(sums(counts))},
          {.name = "macro_f1", .value = f1s / static_cast<double>(labels_)},
          {.name = "exact", .value = ratio(counts[kExact], counts[kExamples])},
          {.name = "proven_optimal", .value = ratio(counts[kProven], counts[kExamples])}};
}

}  // namespace gapwise::internal
