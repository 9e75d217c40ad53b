#pragma once

#include <cstddef>

namespace gapwise::internal {

/// Of `count` things the one that carries no weight and was used longest ago, the first of equal
/// ones; `count` if all carry weight.
template <class Weight, class LastUsed>
std::size_t oldest_unused(std::size_t count, Weight weight, LastUsed last_used) {
  std::size_t oldest = count;
  for (std::size_t k = 0; k < count; ++k) {
    if (weight(k) > 0.0) continue;
    if (oldest == count || last_used(k) < last_used(oldest)) oldest = k;
  }
  return oldest;
}

}  // namespace gapwise::internal
