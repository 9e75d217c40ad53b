#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/segmentation_model.h"

namespace gapwise {

std::unique_ptr<Predictor> make_segmentation_predictor(SegmentationModel model);

}  // namespace gapwise
