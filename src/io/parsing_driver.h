#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"

namespace gapwise {

std::unique_ptr<TaskDriver> make_parsing_driver();

}  // namespace gapwise
