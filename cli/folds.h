#pragma once

#include <string>

namespace gapwise::cli {

/// All folds but those of `folds` ("0", "1-9", "1,3,5-7"), in the same notation. Throws
/// OptionError if `folds` is not in it.
std::string other_folds(const std::string& folds);

}  // namespace gapwise::cli
