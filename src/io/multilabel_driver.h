#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"

namespace gapwise {

std::unique_ptr<TaskDriver> make_multilabel_driver();

}  // namespace gapwise
