#pragma once

#include "gapwise/ranking.h"
#include "tasks/sequence/model.h"

namespace gapwise::internal {

/// Adds the `count` largest reasons for every label of the best output of sequence i: what its
/// attributes, the labels around it and the ends of the sequence score more for it than for the
/// runner-up.
void add_sequence_reasons(const SequenceModel& model, const SequenceData& data, Index i,
                          Index count, Ranking& ranking);

}  // namespace gapwise::internal
