#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "gapwise/errors.h"

namespace gapwise::internal {

/// OptionError if `format` is none of `formats`.
inline void check_format(std::string_view format, const std::vector<std::string_view>& formats) {
  if (std::find(formats.begin(), formats.end(), format) != formats.end()) return;
  throw OptionError(fmt::format("format '{}' is not one of {}", format, fmt::join(formats, ", ")));
}

}  // namespace gapwise::internal
