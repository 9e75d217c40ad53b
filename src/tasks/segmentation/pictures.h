#pragma once

#include <span>

#include "tasks/segmentation/png.h"
#include "tasks/segmentation/reader.h"

namespace gapwise::internal {

/// Graph i of a batch, which has a raster with colours, as three panels: the input; the truth,
/// white where there is foreground (left out if it is not known); and the prediction in the same
/// way, red where it wrongly finds foreground and blue where it misses some.
Picture draw_segmentation(const SegmentationBatch& batch, Index i,
                          std::span<const std::uint8_t> predicted);

}  // namespace gapwise::internal
