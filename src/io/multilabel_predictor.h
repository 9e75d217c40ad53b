#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/multilabel_model.h"

namespace gapwise {

std::unique_ptr<Predictor> make_multilabel_predictor(MultilabelModel model);

}  // namespace gapwise
