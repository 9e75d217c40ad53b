#pragma once

#include <memory>
#include <optional>

#include "tasks/segmentation/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// `settings` need no format and no name of the loss yet. Without a loss it is hamming, or for
/// images, whose pixels are many, normalized-hamming.
std::unique_ptr<TrainingSet> make_segmentation_training_set(const DataSource& source,
                                                            SegmentationSettings settings,
                                                            std::optional<SegmentationLoss> loss);

}  // namespace gapwise::internal
