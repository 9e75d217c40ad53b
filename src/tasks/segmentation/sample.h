#pragma once

#include <string>

#include "core/random.h"

namespace gapwise::internal {

/// Small pictures of noisy shapes in format graph: ellipses and boxes in warm colours before a cool
/// background. Single pixels are often wrong, their neighbours tell.
std::string sample_segmentation(Index examples, Rng& rng);

}  // namespace gapwise::internal
