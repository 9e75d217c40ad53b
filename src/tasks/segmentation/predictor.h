#pragma once

#include <memory>

#include "tasks/segmentation/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

std::unique_ptr<Predictor> make_segmentation_predictor(SegmentationModel model);

}  // namespace gapwise::internal
