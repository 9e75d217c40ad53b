#pragma once

#include <memory>

#include "tasks/sequence/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

std::unique_ptr<Predictor> make_sequence_predictor(SequenceModel model);

}  // namespace gapwise::internal
