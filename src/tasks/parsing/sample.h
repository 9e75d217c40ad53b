#pragma once

#include <string>

#include "core/random.h"
#include "gapwise/types.h"

namespace gapwise::internal {

/// Random sentences of a small grammar in format conllu. Where phrases attach is partly told by
/// words and partly up to chance, so that there is something to learn and something to miss.
std::string make_parsing_sample(Index sentences, Rng& rng);

}  // namespace gapwise::internal
