#pragma once

#include <memory>

#include "tasks/alignment/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

std::unique_ptr<Predictor> make_alignment_predictor(AlignmentModel model);

}  // namespace gapwise::internal
