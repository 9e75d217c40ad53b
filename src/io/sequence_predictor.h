#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/sequence_model.h"

namespace gapwise {

std::unique_ptr<Predictor> make_sequence_predictor(SequenceModel model);

}  // namespace gapwise
