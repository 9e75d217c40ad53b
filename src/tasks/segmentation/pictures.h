#pragma once

#include "gapwise/types.h"
#include "tasks/shared/pictures/picture.h"

namespace gapwise::internal {

struct SegmentationBatch;

/// Graph i of a labelled batch, which has a raster with colours, as three panels: the input; the
/// truth, white where there is foreground (left out if it is not known); and the prediction in the
/// same way, red where it wrongly finds foreground and blue where it misses some.
Picture draw_segmentation(const SegmentationBatch& batch, Index i);

/// What is predicted of graph i, which has a raster: white where there is foreground.
Picture draw_mask(const SegmentationBatch& batch, Index i);

}  // namespace gapwise::internal
