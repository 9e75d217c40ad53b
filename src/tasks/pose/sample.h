#pragma once

#include <string>

#include "core/random.h"

namespace gapwise::internal {

/// Small random figures in format score-maps.
std::string sample_pose(Index examples, Rng& rng);

}  // namespace gapwise::internal
