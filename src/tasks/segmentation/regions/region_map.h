#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/segmentation/image_stack.h"

namespace gapwise::internal {

/// How an image is cut into regions, each of which is a node of its graph.
enum class RegionKind { kSquares, kSuperpixels };
constexpr std::array<std::string_view, 2> enum_names(RegionKind) {
  return {"squares", "superpixels"};
}

/// The class of a pixel that has none, or one that does not count.
inline constexpr std::int16_t kNoClass = -1;

/// An image cut into regions.
struct RegionMap {
  Index width = 0;
  Index height = 0;
  Index num_regions = 0;
  std::vector<std::int32_t> region_of;  ///< of each pixel, row by row
  std::vector<std::int16_t> truth;      ///< class of each pixel, or kNoClass; empty: not known
  std::vector<std::uint8_t> colours;    ///< red, green and blue of each pixel, if asked for
  std::string name;                     ///< of its file, without ending, if it has one of its own

  Index num_pixels() const { return width * height; }
  std::size_t region(Index pixel) const {
    return static_cast<std::size_t>(region_of[static_cast<std::size_t>(pixel)]);
  }
};

/// How many regions of about `side` x `side` pixels an image has.
Index num_squares(const StackImage& image, Index side);

/// Squares of `side` x `side` pixels, less at the right and lower border, row by row.
RegionMap cut_into_squares(const StackImage& image, Index side);

/// About as many regions that follow the colours: k-means of colours and places, each centre
/// looking no farther than two sides [ASSLFS12]; what is not connected to its region joins the one
/// before it.
RegionMap cut_into_superpixels(const StackImage& image, Index side);

RegionMap cut(const StackImage& image, RegionKind kind, Index side);

}  // namespace gapwise::internal
