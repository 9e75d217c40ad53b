#pragma once

#include <memory>
#include <string>

#include "tasks/task.h"

namespace gapwise::internal {

/// How examples are read and what errors cost.
struct MulticlassSettings {
  bool has_bias = false;
  std::string cost_matrix;  ///< a file; empty: 1 for every wrong class
};

std::unique_ptr<TrainingSet> make_multiclass_training_set(const DataSource& source,
                                                          const MulticlassSettings& settings);

}  // namespace gapwise::internal
