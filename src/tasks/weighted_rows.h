#pragma once

#include <cstddef>

#include "gapwise/tasks/feature_rows.h"

namespace gapwise {

/// Calls visit(attribute, value) for the features of a row, in order.
template <class Visit>
void for_each_feature(const FeatureRow& row, Visit visit) {
  for (std::size_t f = 0; f < row.size; ++f) {
    visit(row.attributes != nullptr ? std::size_t{row.attributes[f]} : f,
          row.values != nullptr ? row.values[f] : 1.0);
  }
}

/// <w, row>, for attributes that own one weight each.
inline double score_row(const FeatureRow& row, const double* w) {
  double sum = 0.0;
  for_each_feature(row, [&](std::size_t a, double x) { sum += x * w[a]; });
  return sum;
}

/// w += scale * row.
inline void add_row(const FeatureRow& row, double scale, double* w) {
  for_each_feature(row, [&](std::size_t a, double x) { w[a] += scale * x; });
}

}  // namespace gapwise
