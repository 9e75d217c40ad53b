#pragma once

#include <memory>
#include <string>

#include "tasks/multilabel/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

// What the driver is made of.

/// What the options of reading say; the format is told by the data.
struct MultilabelTrainingOptions {
  MultilabelSettings settings;
  bool has_bias = true;
  Scale scale = Scale::kNone;
  std::string label_xml;  ///< a file; format arff only
};

std::unique_ptr<TrainingSet> make_multilabel_training_set(const DataSource& source,
                                                          const MultilabelTrainingOptions& options,
                                                          const Threads& threads);
/// The same of examples in memory.
std::unique_ptr<TrainingRows> make_multilabel_training_rows(
    const MultilabelTrainingOptions& options);

std::unique_ptr<Predictor> make_multilabel_predictor(MultilabelModel model);

}  // namespace gapwise::internal
