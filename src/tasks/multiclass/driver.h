#pragma once

#include <memory>
#include <string>

#include "tasks/multiclass/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

// What the driver is made of.

/// How examples are read and what errors cost.
struct MulticlassSettings {
  bool has_bias = false;
  std::string cost_matrix;  ///< a file; empty: 1 for every wrong class
  Scale scale = Scale::kNone;
  std::string label_weights = {};  ///< a rule; empty: all weigh the same
};

std::unique_ptr<TrainingSet> make_multiclass_training_set(const DataSource& source,
                                                          const MulticlassSettings& settings,
                                                          const Threads& threads);
/// The same of examples in memory.
std::unique_ptr<TrainingRows> make_multiclass_training_rows(const MulticlassSettings& settings);

std::unique_ptr<Predictor> make_multiclass_predictor(MulticlassModel model);

}  // namespace gapwise::internal
