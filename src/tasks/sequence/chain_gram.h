#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "tasks/sequence/problem.h"

namespace gapwise::internal {

/// Inner products <x_t, x_t'> of the input features within each sequence, so that |B_i v|^2 costs a
/// few products per part and nothing per feature. Start and end features are in the corner entries.
/// The longest sequences are left out when all together would not fit in `max_bytes`.
class ChainGram {
 public:
  ChainGram(const SequenceData& data, std::size_t max_bytes);

  bool covers(Index i) const { return offset(i) != kNotCovered; }
  /// All products of sequence i, row after row.
  std::span<const double> products(Index i, int length) const {
    const auto side = static_cast<std::size_t>(length);
    return {products_.data() + offset(i), side * (side + 1) / 2};
  }
  /// <x_t, x_s> of sequence i, s <= t.
  const double* row(Index i, int t) const {
    const auto position = static_cast<std::size_t>(t);
    return products_.data() + offset(i) + position * (position + 1) / 2;
  }
  /// sum_{t, s} |<x_t, x_s>| of sequence i.
  double absolute_sum(Index i, int length) const;

 private:
  static constexpr std::size_t kNotCovered = std::numeric_limits<std::size_t>::max();
  std::size_t offset(Index i) const { return offsets_[static_cast<std::size_t>(i)]; }

  std::vector<std::size_t> offsets_;
  std::vector<double> products_;
};

}  // namespace gapwise::internal
