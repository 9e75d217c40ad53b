#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "gapwise/types.h"
#include "infer/graph_cut.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// Red, green and blue, each from 0 to 1.
using Colour = std::array<double, 3>;

/// A picture in colours, row by row.
struct PixelGrid {
  Index width = 0;
  Index height = 0;
  std::vector<Colour> colours;

  const Colour& at(Index x, Index y) const {
    return colours[static_cast<std::size_t>(y * width + x)];
  }
};

/// Which of the bins between `borders` a number falls into; one equal to a border belongs to the
/// bin above it.
inline Index bin(double value, std::span<const double> borders) {
  return std::upper_bound(borders.begin(), borders.end(), value) - borders.begin();
}

/// The attributes of a pixel; docs/segmentation.md tells what they mean. Every pixel has one bin of
/// each cue, with value 1.
std::vector<std::string> pixel_attribute_names();
void add_pixel_rows(const PixelGrid& grid, FeatureRows& rows);

/// The edges between pixels that touch, along sides (4 neighbours) or also at corners (8), and
/// their attributes.
std::vector<std::string> pixel_edge_names(Index neighbours);
void add_pixel_edges(const PixelGrid& grid, Index neighbours, std::vector<NodePair>& ends,
                     FeatureRows& rows);

}  // namespace gapwise::internal
