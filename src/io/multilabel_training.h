#pragma once

#include <memory>
#include <string>

#include "gapwise/io/task_driver.h"
#include "io/multilabel_model.h"

namespace gapwise {

/// What the options of reading say; the format is told by the data.
struct MultilabelTrainingOptions {
  MultilabelSettings settings;
  bool has_bias = true;
  std::string label_xml;  ///< a file; format arff only
};

std::unique_ptr<TrainingSet> make_multilabel_training_set(const DataSource& source,
                                                          const MultilabelTrainingOptions& options);

}  // namespace gapwise
