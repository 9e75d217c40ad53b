#pragma once

#include <memory>

#include "tasks/segmentation/regions/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

// What the driver of label maps is made of.

std::unique_ptr<TrainingSet> make_region_training_set(const DataSource& source,
                                                      RegionSettings settings);

std::unique_ptr<Predictor> make_region_predictor(RegionModel model);

}  // namespace gapwise::internal
