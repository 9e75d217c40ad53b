#pragma once

#include <string>
#include <vector>

#include "io/alphabet.h"

namespace gapwise::internal {

/// Reads what each class costs where another one is right (docs/formats.md), in the order of
/// `classes`: costs[truth * classes + predicted].
std::vector<double> read_costs(const std::string& path, const Alphabet& classes);

}  // namespace gapwise::internal
