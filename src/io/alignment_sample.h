#pragma once

#include <string>

#include "gapwise/core/random.h"

namespace gapwise {

/// Random pairs of sentences of a language of few words in format alignment, with gold links and
/// two given alignments that err now and then.
std::string alignment_sample(Index pairs, Rng& rng);

}  // namespace gapwise
