#pragma once

#include "gapwise/types.h"

namespace gapwise::internal {

/// part / whole, and 0 of nothing.
inline double ratio(Index part, Index whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}
/// The same of sums.
inline double ratio(double part, double whole) {
  return whole == 0.0 ? 0.0 : part / whole;
}

}  // namespace gapwise::internal
