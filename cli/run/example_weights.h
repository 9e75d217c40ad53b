#pragma once

#include <string>
#include <vector>

#include "gapwise/examples.h"

namespace gapwise::internal::cli {

/// The examples with the weights in a file, a positive number on each line; as they are without a
/// file. Throws InputError with file and line for anything else.
Examples with_weights_of(Examples examples, const std::string& path);

}  // namespace gapwise::internal::cli
