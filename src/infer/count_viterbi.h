#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "infer/viterbi.h"

namespace gapwise::internal {

/// Viterbi with one more state, the number of positions whose label differs from a reference: the
/// best labelling for every such number. O(length^2 labels^2) time, half of length^2 labels memory.
class CountViterbi {
 public:
  /// Solves a chain; `scores` and `reference` stay valid until the last call of `labelling`.
  /// Returns the best score for 0, 1, .. length differences, minus infinity where there is none.
  std::span<const double> solve(const ChainScores& scores, std::span<const std::int32_t> reference);

  /// The best labelling with so many differences, which must exist; ties towards the smaller label
  /// from the last position backwards. `labels_out` has `length` entries.
  void labelling(int differences, std::span<std::int32_t> labels_out) const;

 private:
  /// The scores of positions 0..t with `count` <= t + 1 differences, one per last label.
  std::size_t row(std::size_t t, std::size_t count) const {
    return (t * (t + 3) / 2 + count) * static_cast<std::size_t>(scores_.labels);
  }
  const double* pairs_into(std::size_t t) const;
  void step(std::size_t t);

  ChainScores scores_;
  std::span<const std::int32_t> reference_;
  std::vector<double> best_;
  std::vector<double> reached_;  ///< by the label of one position, its own score left out
  std::vector<double> by_count_;
};

}  // namespace gapwise::internal
