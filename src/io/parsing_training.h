#pragma once

#include <memory>

#include "gapwise/io/task_driver.h"
#include "io/parsing_model.h"

namespace gapwise {

/// The sentences of `source` as a training set; `settings.format` is found out.
std::unique_ptr<TrainingSet> make_parsing_training_set(const DataSource& source,
                                                       ParsingSettings settings);

}  // namespace gapwise
