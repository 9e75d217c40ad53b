#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/parsing_model.h"

namespace gapwise {

std::unique_ptr<Predictor> make_parsing_predictor(ParsingModel model);

}  // namespace gapwise
