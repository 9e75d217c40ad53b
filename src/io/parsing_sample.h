#pragma once

#include <string>

#include "gapwise/core/random.h"
#include "gapwise/core/types.h"

namespace gapwise {

/// Random sentences of a small grammar in format conllu. Where phrases attach is partly told by
/// words and partly up to chance, so that there is something to learn and something to miss.
std::string make_parsing_sample(Index sentences, Rng& rng);

}  // namespace gapwise
