#pragma once

#include <map>
#include <string>

#include "gapwise/train.h"

namespace gapwise::internal {

/// Adds to the settings of a model how it came about. Nothing of it depends on the clock, the
/// threads or on a resume.
void add_provenance(const Report& report, const TrainOptions& options, const Problem& problem,
                    std::map<std::string, std::string>& settings);

}  // namespace gapwise::internal
