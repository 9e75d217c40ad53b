#pragma once

#include <memory>

#include "tasks/pose/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

std::unique_ptr<Predictor> make_pose_predictor(PoseModel model);

}  // namespace gapwise::internal
