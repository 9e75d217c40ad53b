#pragma once

#include <memory>

#include "tasks/parsing/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

std::unique_ptr<Predictor> make_parsing_predictor(ParsingModel model);

}  // namespace gapwise::internal
