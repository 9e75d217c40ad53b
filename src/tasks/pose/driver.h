#pragma once

#include <memory>
#include <string>

#include "core/random.h"
#include "tasks/pose/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

// What the driver is made of.

/// What the user chose.
struct PoseChoices {
  PoseLoss loss = PoseLoss::kDistance;
  double threshold = 0.2;
  bool has_springs = true;
  MapSettings maps;
};

std::unique_ptr<TrainingSet> make_pose_training_set(const DataSource& source,
                                                    const PoseChoices& choices);

std::unique_ptr<Predictor> make_pose_predictor(PoseModel model);

/// Small random figures in format score-maps.
std::string sample_pose(Index examples, Rng& rng);

}  // namespace gapwise::internal
