#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/pose_model.h"

namespace gapwise {

std::unique_ptr<Predictor> make_pose_predictor(PoseModel model);

}  // namespace gapwise
