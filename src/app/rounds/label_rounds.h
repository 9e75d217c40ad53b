#pragma once

#include "gapwise/fit.h"

namespace gapwise::internal {

/// Whether some labels of the examples are not known.
bool has_unknown_labels(const Examples& examples);

/// Examples with all labels, for the last of so many rounds of training (at least 2): the first one
/// trains on what is known alone, every other one on what the round before made of the rest. Ends
/// sooner where nothing changes any more and where it is interrupted. Of `settings`, rounds, stop
/// and delay count. OptionError for options that cannot go with it.
Examples complete_labels(const Examples& examples, const TrainOptions& options, Observer& observer,
                         const FitSettings& settings);

}  // namespace gapwise::internal
