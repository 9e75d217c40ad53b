#pragma once

#include <string>

#include "core/random.h"

namespace gapwise::internal {

/// Random pairs of sentences of a language of few words in format alignment, with gold links and
/// two given alignments that err now and then.
std::string alignment_sample(Index pairs, Rng& rng);

}  // namespace gapwise::internal
