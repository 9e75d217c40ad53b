#pragma once

#include <string>

#include "gapwise/core/random.h"

namespace gapwise {

/// Small random figures in format score-maps.
std::string sample_pose(Index examples, Rng& rng);

}  // namespace gapwise
