#include "tasks/segmentation/regions/region_map.h"

namespace gapwise::internal {
namespace {

Index cells(Index length, Index side) {
  return (length + side - 1) / side;
}

}  // namespace

Index num_squares(const StackImage& image, Index side) {
  return cells(image.width, side) * cells(image.height, side);
}

RegionMap cut_into_squares(const StackImage& image, Index side) {
  RegionMap map;
  map.width = image.width;
  map.height = image.height;
  map.num_regions = num_squares(image, side);
  const Index across = cells(image.width, side);
  map.region_of.reserve(static_cast<std::size_t>(map.num_pixels()));
  for (Index y = 0; y < map.height; ++y) {
    for (Index x = 0; x < map.width; ++x) {
      map.region_of.push_back(static_cast<std::int32_t>(y / side * across + x / side));
    }
  }
  return map;
}

RegionMap cut(const StackImage& image, RegionKind kind, Index side) {
  return kind == RegionKind::kSquares ? cut_into_squares(image, side)
                                      : cut_into_superpixels(image, side);
}

}  // namespace gapwise::internal
