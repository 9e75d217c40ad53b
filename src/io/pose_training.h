#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/pose_reader.h"

namespace gapwise {

/// What the user chose.
struct PoseChoices {
  PoseLoss loss = PoseLoss::kDistance;
  double threshold = 0.2;
  bool has_springs = true;
  MapSettings maps;
};

std::unique_ptr<TrainingSet> make_pose_training_set(const DataSource& source,
                                                    const PoseChoices& choices);

}  // namespace gapwise
