#pragma once

#include <string>
#include <string_view>

#include "io/lines.h"

namespace gapwise::internal {

/// Whether class a comes before class b: numbers first, by size, then other names by their bytes.
bool is_class_before(std::string_view a, std::string_view b);

/// The name of the class that `text` stands for: "+1", "1" and "1.0" are the same. InputError for a
/// number that is not finite.
std::string class_name(std::string_view text, const LineReader& lines);

}  // namespace gapwise::internal
