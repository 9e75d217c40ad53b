#pragma once

#include <string>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal::cli {

/// The visiting order in a file of example numbers from 1, separated by commas or white space: a
/// permutation of 1..n, returned from 0. Throws InputError with file and line otherwise.
std::vector<Index> read_order(const std::string& path, Index n);

}  // namespace gapwise::internal::cli
