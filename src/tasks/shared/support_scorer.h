#pragma once

#include <memory>
#include <vector>

#include "gapwise/kernel.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// The kernel part of a trained model at work: the inputs it rests on, each with one coefficient
/// per label. Immutable and cheap to copy; several threads may use one.
class SupportScorer {
 public:
  /// `coefficients` has `labels` numbers for each of the rows.
  SupportScorer(const Kernel& kernel, FeatureRows rows, std::vector<double> coefficients,
                int labels);

  /// out[k] = sum_s coefficients[s * labels + k] k(x_s, x) for all labels k.
  void score(const FeatureRow& x, double* out) const;

 private:
  struct Support;
  std::shared_ptr<const Support> support_;
};

}  // namespace gapwise::internal
