#pragma once

#include <memory>
#include <string>

#include "gapwise/io/task_driver.h"

namespace gapwise {

/// How examples are read and what errors cost.
struct MulticlassSettings {
  bool has_bias = false;
  std::string cost_matrix;  ///< a file; empty: 1 for every wrong class
};

std::unique_ptr<TrainingSet> make_multiclass_training_set(const DataSource& source,
                                                          const MulticlassSettings& settings);

}  // namespace gapwise
