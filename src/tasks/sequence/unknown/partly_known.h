#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tasks/sequence/training.h"

namespace gapwise::internal {

/// The runs of tokens whose labels are known, each as a sequence of its own. What lies beside a run
/// is lost, but for the attributes of its tokens.
SequenceData known_runs(const SequenceData& data);

/// The same sequences, in which tokens of known label may have that one only.
SequenceData fixed_to_known(const SequenceData& data);

/// A training set in which some labels are kNoLabel; for the rest as make_sequence_training_set.
std::unique_ptr<TrainingSet> make_partly_known_sequences(NumberedSequences sequences,
                                                         SequenceSettings settings,
                                                         std::optional<SequenceLoss> loss,
                                                         const std::string& source);

}  // namespace gapwise::internal
