#pragma once

#include <memory>

#include "tasks/multilabel/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

std::unique_ptr<Predictor> make_multilabel_predictor(MultilabelModel model);

}  // namespace gapwise::internal
