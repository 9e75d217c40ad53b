#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"

namespace gapwise {

std::unique_ptr<TaskDriver> make_pose_driver();

}  // namespace gapwise
