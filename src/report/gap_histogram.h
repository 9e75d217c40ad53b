#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Examples whose block gap is at least `from` and below `to`.
struct GapBin {
  double from = 0.0;
  double to = 0.0;
  Index examples = 0;
  double share = 0.0;  ///< of the sum of all block gaps
};

/// How the gaps of the examples are spread: bins of half a power of ten that touch each other.
struct GapHistogram {
  Index closed = 0;  ///< examples with no gap, or one that is nothing beside the largest
  std::vector<GapBin> bins;
};

inline constexpr std::size_t kMostGapBins = 17;  ///< that anybody draws

/// Without bins if no example has a gap. Gaps are finite and at least 0.
GapHistogram histogram_of(std::span<const double> gaps);

}  // namespace gapwise::internal
