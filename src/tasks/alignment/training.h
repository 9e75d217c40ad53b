#pragma once

#include <memory>
#include <string>

#include "tasks/alignment/input.h"
#include "tasks/alignment/problem.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// `plan` without what the data tell: dice, spreads and, for format alignment, the names of given
/// alignments. Words are counted in all pairs of the data, whatever their fold, and in `bitext`
/// (dice.h).
std::unique_ptr<TrainingSet> make_alignment_training_set(const DataSource& source,
                                                         AlignmentPlan plan,
                                                         const std::string& bitext,
                                                         const AlignmentCosts& costs);

}  // namespace gapwise::internal
