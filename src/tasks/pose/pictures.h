#pragma once

#include "tasks/pose/reader.h"
#include "tasks/shared/pictures/picture.h"

namespace gapwise::internal {

/// Figure i of a labelled batch: the brighter a cell, the more its score maps say there; the right
/// limbs in blue, if they are known, and those that were found in orange, with a square at each
/// joint.
Picture draw_figure(const PoseBatch& batch, Index i);

}  // namespace gapwise::internal
