#pragma once

#include <memory>

#include "tasks/multiclass/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

std::unique_ptr<Predictor> make_multiclass_predictor(MulticlassModel model);

}  // namespace gapwise::internal
