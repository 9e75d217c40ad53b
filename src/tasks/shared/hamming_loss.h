#pragma once

#include <array>
#include <string_view>

namespace gapwise::internal {

/// How many labels of an output are wrong, or which share of them.
enum class HammingLoss { kHamming, kNormalizedHamming };
constexpr std::array<std::string_view, 2> enum_names(HammingLoss) {
  return {"hamming", "normalized-hamming"};
}

}  // namespace gapwise::internal
