#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/segmentation_model.h"

namespace gapwise {

/// `settings` need no format and no name of the loss yet.
std::unique_ptr<TrainingSet> make_segmentation_training_set(const DataSource& source,
                                                            SegmentationSettings settings,
                                                            SegmentationLoss loss);

}  // namespace gapwise
