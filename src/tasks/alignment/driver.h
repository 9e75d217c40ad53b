#pragma once

#include <memory>
#include <string>

#include "tasks/alignment/input.h"
#include "tasks/alignment/model.h"
#include "tasks/alignment/problem.h"
#include "tasks/task.h"

// What the driver is made of.

namespace gapwise::internal {

/// `plan` without what the data tell: dice, spreads and, for format alignment, the names of given
/// alignments. Words are counted in all pairs of the data, whatever their fold, and in `bitext`
/// (dice.h).
std::unique_ptr<TrainingSet> make_alignment_training_set(const DataSource& source,
                                                         AlignmentPlan plan,
                                                         const std::string& bitext,
                                                         const AlignmentCosts& costs);

std::unique_ptr<Predictor> make_alignment_predictor(AlignmentModel model);

/// Random pairs of sentences of a language of few words in format alignment, with gold links and
/// two given alignments that err now and then.
std::string alignment_sample(Index pairs, Rng& rng);

}  // namespace gapwise::internal
