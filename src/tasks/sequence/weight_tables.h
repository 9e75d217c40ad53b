#pragma once

#include <vector>

#include "tasks/sequence/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// The strongest weights of a chain model: for each label the `count` largest positive and the
/// `count` largest negative ones of its attributes, largest first; then those of transitions,
/// starts, ends and edge attributes.
std::vector<WeightTable> sequence_weight_tables(const SequenceModel& model, std::size_t count);

/// All weights of names, as tables; those of edge attributes are left out.
std::vector<WeightMatrix> sequence_weight_matrices(const SequenceModel& model);

}  // namespace gapwise::internal
