#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/task.h"

namespace gapwise::internal {

/// Figures of merit of predicted label sets, in the units of docs/formats.md.
class MultilabelMetrics {
 public:
  explicit MultilabelMetrics(std::size_t labels) : counts_(labels) {}

  /// One example: 1 for each label that is on. `unknown` more labels are right that the model does
  /// not know, hence misses. `is_proven`: no set scores more than the predicted one.
  void add(std::span<const std::uint8_t> gold, std::span<const std::uint8_t> predicted,
           Index unknown, bool is_proven);
  Metrics result() const;

 private:
  struct Counts {
    Index hits = 0;
    Index gold = 0;
    Index predicted = 0;
  };
  static double f1(const Counts& counts);

  std::vector<Counts> counts_;  ///< by label
  Index examples_ = 0;
  Index exact_ = 0;
  Index unknown_ = 0;
  Index proven_ = 0;
};

}  // namespace gapwise::internal
