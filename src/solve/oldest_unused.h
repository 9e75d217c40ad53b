#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace gapwise::internal {

/// Of `count` things, which ones to keep so that one goes: that which carries no weight and was
/// used longest ago, the first of equal ones. Nothing if all carry weight.
template <class Weight, class LastUsed>
std::optional<std::vector<bool>> all_but_oldest_unused(std::size_t count, Weight weight,
                                                       LastUsed last_used) {
  std::size_t oldest = count;
  for (std::size_t k = 0; k < count; ++k) {
    if (weight(k) > 0.0) continue;
    if (oldest == count || last_used(k) < last_used(oldest)) oldest = k;
  }
  if (oldest == count) return std::nullopt;
  std::vector<bool> kept(count, true);
  kept[oldest] = false;
  return kept;
}

}  // namespace gapwise::internal
