#pragma once

#include <array>

#include "tasks/segmentation/pixel_features.h"

namespace gapwise::internal {

// Borders between the bins of light, and of the two opponent colours.
inline constexpr std::array kLightBorders{0.15, 0.3, 0.45, 0.6, 0.8};
inline constexpr std::array kChromaBorders{-0.12, -0.03, 0.03, 0.12};
inline constexpr Index kLights = std::ssize(kLightBorders) + 1;
inline constexpr Index kChromas = std::ssize(kChromaBorders) + 1;
inline constexpr Index kColourBins = kLights * kChromas * kChromas;

/// Light, red against green, yellow against blue.
inline Colour opponents(const Colour& c) {
  return {(c[0] + c[1] + c[2]) / 3.0, c[0] - c[1], (c[0] + c[1]) / 2.0 - c[2]};
}

inline Index colour_bin(const Colour& opponent) {
  return (bin(opponent[0], kLightBorders) * kChromas + bin(opponent[1], kChromaBorders)) *
             kChromas +
         bin(opponent[2], kChromaBorders);
}

}  // namespace gapwise::internal
