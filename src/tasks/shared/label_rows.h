#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gapwise/part_rows.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// The kernels between input features and labels: attribute a owns `labels` weights in a row at
/// w[a * labels]. Every label adds up its products in the same order whatever the vector width, so
/// results do not depend on the machine.

/// out[r * labels + k] = sum over the features (a, x) of row first + r of x * w[a * labels + k].
void score_rows(const FeatureRows& rows, std::size_t first, std::size_t count, const double* w,
                std::size_t labels, double* out);

/// out[j] = the same sum for one row and the labels at[0], at[1], ... only.
void score_labels(const FeatureRow& row, std::span<const Index> at, std::size_t labels,
                  const double* w, double* out);

/// The weights behind those: part first + j is label ids[j] - origin.
void describe_labels(const FeatureRow& row, std::span<const Index> ids, Index origin, Index labels,
                     PartRows& out, std::size_t first = 0);

/// w[a * labels + k] += x * change[k] for the features (a, x) of the row and all labels k.
void add_to_rows(const FeatureRow& row, const double* change, std::size_t labels, double* w);

/// The same where only a few labels change.
struct LabelChange {
  std::size_t label;
  double amount;
};
void add_to_labels(const FeatureRow& row, std::span<const LabelChange> changes, std::size_t labels,
                   double* w);

}  // namespace gapwise::internal
