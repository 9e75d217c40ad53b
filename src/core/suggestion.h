#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gapwise::internal {

/// "; did you mean 'x'?" for the candidate that looks most like `word`; empty if none does.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace gapwise::internal
