#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/alignment_model.h"

namespace gapwise {

std::unique_ptr<Predictor> make_alignment_predictor(AlignmentModel model);

}  // namespace gapwise
