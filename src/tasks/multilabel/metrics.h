#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/task.h"

namespace gapwise::internal {

/// Figures of merit of predicted label sets, in the units of docs/formats.md.
class MultilabelMetrics {
 public:
  explicit MultilabelMetrics(std::size_t labels) : labels_(labels) {}

  std::size_t num_counts() const { return kByLabel + kPerLabel * labels_; }
  /// Adds one example: 1 for each label that is on. `unknown` more labels are right that the model
  /// does not know, hence misses. `is_proven`: no set scores more than the predicted one.
  void count(std::span<const std::uint8_t> gold, std::span<const std::uint8_t> predicted,
             Index unknown, bool is_proven, std::span<double> counts) const;
  Metrics metrics(std::span<const double> counts) const;
  double errors(std::span<const double> counts) const;

 private:
  /// Of all labels; then, label by label, those of PerLabel.
  enum Count : std::size_t { kExamples, kExact, kUnknown, kProven, kByLabel };
  enum PerLabel : std::size_t { kHits, kGold, kPredicted, kPerLabel };

  static double f1(std::span<const double> label);
  std::span<const double> of_label(std::span<const double> counts, std::size_t l) const {
    return counts.subspan(kByLabel + kPerLabel * l, kPerLabel);
  }
  /// Over all labels, those that are not known included.
  std::vector<double> sums(std::span<const double> counts) const;

  std::size_t labels_;
};

}  // namespace gapwise::internal
