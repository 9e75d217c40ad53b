#pragma once

#include <vector>

#include "tasks/parsing/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// The strongest weights of features that consist of two tags: hashes do not tell what they were
/// made of, but the pairs of the training data are few enough to be kept. First arcs, by side and
/// by distance, then each label.
std::vector<WeightTable> parsing_weight_tables(const ParsingModel& model, std::size_t count);

}  // namespace gapwise::internal
