#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

struct SegmentationBatch;

/// A picture in memory: row by row, three bytes of red, green and blue for each pixel.
struct Picture {
  Index width = 0;
  Index height = 0;
  std::vector<std::uint8_t> bytes;
};

/// Graph i of a labelled batch, which has a raster with colours, as three panels: the input; the
/// truth, white where there is foreground (left out if it is not known); and the prediction in the
/// same way, red where it wrongly finds foreground and blue where it misses some.
Picture draw_segmentation(const SegmentationBatch& batch, Index i);

/// What is predicted of graph i, which has a raster: white where there is foreground.
Picture draw_mask(const SegmentationBatch& batch, Index i);

/// The picture as a PNG file.
std::string encode_png(const Picture& picture);
/// One byte for each pixel, row by row, as a grey PNG file.
std::string encode_grey_png(Index width, Index height, const std::vector<std::uint8_t>& bytes);

}  // namespace gapwise::internal
