#pragma once

#include <cstddef>
#include <vector>

#include "gapwise/tasks/feature_rows.h"

namespace gapwise {

/// The features of one row added up in a dense vector, to take products with other rows.
class DenseRow {
 public:
  void load(const FeatureRow& row) {
    for (std::size_t f = 0; f < row.size; ++f) {
      const std::size_t a = attribute(row, f);
      if (a >= values_.size()) values_.resize(a + 1, 0.0);
      values_[a] += value(row, f);
    }
  }
  void unload(const FeatureRow& row) {
    for (std::size_t f = 0; f < row.size; ++f) values_[attribute(row, f)] = 0.0;
  }
  double dot(const FeatureRow& row) const {
    double sum = 0.0;
    for (std::size_t f = 0; f < row.size; ++f) {
      const std::size_t a = attribute(row, f);
      if (a < values_.size()) sum += value(row, f) * values_[a];
    }
    return sum;
  }

 private:
  static std::size_t attribute(const FeatureRow& row, std::size_t f) {
    return row.attributes != nullptr ? row.attributes[f] : f;
  }
  static double value(const FeatureRow& row, std::size_t f) {
    return row.values != nullptr ? row.values[f] : 1.0;
  }

  std::vector<double> values_;
};

}  // namespace gapwise
