#pragma once

#include <memory>
#include <optional>

#include "tasks/sequence/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Sequences put together in memory, token by token, to train on or for a model at work. A token is
/// a row; features that have numbers become attributes of that name.
std::unique_ptr<TrainingRows> make_sequence_training_rows(const SequenceSettings& settings,
                                                          std::optional<SequenceLoss> loss);
/// `alphabets` outlive the rows and the batch; `longest_segment` as in SequenceSettings.
std::unique_ptr<BatchRows> make_sequence_batch_rows(const SequenceAlphabets& alphabets,
                                                    int longest_segment);

}  // namespace gapwise::internal
