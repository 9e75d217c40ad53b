#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "gapwise/parts.h"
#include "tasks/shared/label_rows.h"

namespace gapwise::internal {

/// Adds parts "the input has label k", k being the part's id, to the weights; owns scratch memory.
class LabelScatter {
 public:
  explicit LabelScatter(std::size_t labels) : row_(labels) {}

  /// w += scale * (the features of `row` at the labels of `parts`).
  void add(const FeatureRow& row, std::span<const Part> parts, double scale, double* w) {
    if (parts.size() < kWholeRowLabels) {
      changes_.clear();
      for (const Part& part : parts) {
        changes_.push_back({static_cast<std::size_t>(part.id), scale * part.value});
      }
      add_to_labels(row, changes_, row_.size(), w);
    } else {
      std::fill(row_.begin(), row_.end(), 0.0);
      for (const Part& part : parts) row_[static_cast<std::size_t>(part.id)] = scale * part.value;
      add_to_rows(row, row_.data(), row_.size(), w);
    }
  }

 private:
  /// From this many labels on, a whole row of weights is updated at once.
  static constexpr std::size_t kWholeRowLabels = 5;

  std::vector<double> row_;
  std::vector<LabelChange> changes_;
};

}  // namespace gapwise::internal
