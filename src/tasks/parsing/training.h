#pragma once

#include <memory>

#include "tasks/parsing/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// The sentences of `source` as a training set; `settings.format` is found out.
std::unique_ptr<TrainingSet> make_parsing_training_set(const DataSource& source,
                                                       ParsingSettings settings);

}  // namespace gapwise::internal
