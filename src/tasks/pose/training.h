#pragma once

#include <memory>

#include "tasks/pose/reader.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// What the user chose.
struct PoseChoices {
  PoseLoss loss = PoseLoss::kDistance;
  double threshold = 0.2;
  bool has_springs = true;
  MapSettings maps;
};

std::unique_ptr<TrainingSet> make_pose_training_set(const DataSource& source,
                                                    const PoseChoices& choices);

}  // namespace gapwise::internal
