#pragma once

#include <cstddef>

#include "gapwise/part_rows.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// The kernels between input features and weights where each attribute owns one weight.

/// visit(attribute, value) for the features of the row, in order.
template <class Visit>
void for_each_feature(const FeatureRow& row, Visit visit) {
  for (std::size_t f = 0; f < row.size; ++f) {
    visit(row.attributes != nullptr ? row.attributes[f] : f,
          row.values != nullptr ? row.values[f] : 1.0);
  }
}

/// The sum of x * w[a] over the features (a, x) of the row.
inline double row_dot(const FeatureRow& row, const double* w) {
  double sum = 0.0;
  if (row.values == nullptr) {
    for (std::size_t f = 0; f < row.size; ++f) sum += w[row.attributes[f]];
  } else {
    for_each_feature(row, [&](std::size_t a, double x) { sum += x * w[a]; });
  }
  return sum;
}

/// The weights behind that, `base` further on, as the score of part k.
inline void describe_row(const FeatureRow& row, std::size_t k, Index base, double factor,
                         PartRows& out) {
  out.begin_row();
  for_each_feature(row,
                   [&](std::size_t a, double x) { out.add_feature(static_cast<Index>(a), x); });
  out.add_part(k, base, factor);
}

/// w[a] += scale * x.
inline void add_row(const FeatureRow& row, double scale, double* w) {
  for_each_feature(row, [&](std::size_t a, double x) { w[a] += scale * x; });
}

/// The sum of w[a]^2 over the attributes of the row, which are 0 afterwards: summed over several
/// rows, every weight that they touch counts once.
inline double take_squares(const FeatureRow& row, double* w) {
  double sum = 0.0;
  for_each_feature(row, [&](std::size_t a, double) {
    sum += w[a] * w[a];
    w[a] = 0.0;
  });
  return sum;
}

/// w[a] = 0.
inline void clear_row(const FeatureRow& row, double* w) {
  for_each_feature(row, [&](std::size_t a, double) { w[a] = 0.0; });
}

}  // namespace gapwise::internal
