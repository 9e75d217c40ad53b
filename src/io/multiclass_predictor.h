#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/multiclass_model.h"

namespace gapwise {

std::unique_ptr<Predictor> make_multiclass_predictor(MulticlassModel model);

}  // namespace gapwise
