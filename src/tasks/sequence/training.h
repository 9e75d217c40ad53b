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

/// One line for people.
std::string describe_sequences(const NumberedSequences& sequences);

/// Sorts the labels, leaves out rare attributes, makes those of segments and chooses the form of
/// the feature rows; `source` is for messages.
NumberedSequences finish_sequences(SequenceBatch batch, SequenceAlphabets alphabets,
                                   const SequenceSettings& settings, const std::string& source);

/// A training set; `source` is for messages. Without a `loss` it is the one usual for the format:
/// per-word error rates for handwriting, plain counts of wrong labels for text, where sentences of
/// any length should weigh by their words. Labels may be kNoLabel (partly_known.h).
std::unique_ptr<TrainingSet> make_sequence_training_set(NumberedSequences sequences,
                                                        SequenceSettings settings,
                                                        std::optional<SequenceLoss> loss,
                                                        const std::string& source);

}  // namespace gapwise::internal
