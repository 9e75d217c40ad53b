#pragma once

#include "tasks/segmentation/reader.h"

namespace gapwise::internal {

/// The label of a pixel of graph i, which has a raster; -1 if it is not known.
inline int truth_at(const SegmentationBatch& batch, Index i, Index pixel) {
  const Raster& raster = batch.rasters[static_cast<std::size_t>(i)];
  if (!raster.truth.empty()) return raster.truth[static_cast<std::size_t>(pixel)];
  const std::size_t first = batch.data.node_starts[static_cast<std::size_t>(i)];
  return batch.data.labels[first + raster.node_of(pixel)];
}

}  // namespace gapwise::internal
