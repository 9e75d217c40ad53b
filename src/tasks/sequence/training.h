#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tasks/sequence/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Labelled sequences, numbered for training.
struct NumberedSequences {
  std::shared_ptr<const SequenceData> data;
  SequenceAlphabets alphabets;
};

/// Reads all of `source`. Fills in what the data tell of `settings`: format, columns, template.
/// `template_path` may be empty.
NumberedSequences read_sequences(const DataSource& source, const std::string& template_path,
                                 SequenceSettings& settings);

/// The sequences of `source` as a training set. Without a `loss` it is the one usual for the
/// format: per-word error rates for handwriting, plain counts of wrong labels for text, where
/// sentences of any length should weigh by their words.
std::unique_ptr<TrainingSet> make_sequence_training_set(const DataSource& source,
                                                        const std::string& template_path,
                                                        const SequenceSettings& settings,
                                                        std::optional<SequenceLoss> loss);

}  // namespace gapwise::internal
