#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/random.h"
#include "tasks/segmentation/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

// What the driver is made of.

/// `settings` need no format and no name of the loss yet. Without a loss it is hamming, or for
/// images, whose pixels are many, normalized-hamming.
std::unique_ptr<TrainingSet> make_segmentation_training_set(const DataSource& source,
                                                            SegmentationSettings settings,
                                                            std::optional<SegmentationLoss> loss);

std::unique_ptr<Predictor> make_segmentation_predictor(SegmentationModel model);

/// Small pictures of noisy shapes in format graph: ellipses and boxes in warm colours before a cool
/// background. Single pixels are often wrong, their neighbours tell.
std::string sample_segmentation(Index examples, Rng& rng);

}  // namespace gapwise::internal
