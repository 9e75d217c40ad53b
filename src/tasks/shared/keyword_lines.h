#pragma once

#include <string_view>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

// Text formats whose lines begin with a word that says what they are: "graph 24x18", "cell 3 4 ..."

/// The fields of the first lines of `head` that have any before a '#', at most `count` lines: what
/// `next_fields` would give of a file that starts like this.
std::vector<std::vector<std::string_view>> first_fields(std::string_view head, std::size_t count);

/// Reads a width and a height as in "24x18", both from 1 to `longest`; false if the text is not
/// like that.
bool parse_shape(std::string_view text, Index longest, Index& width, Index& height);

}  // namespace gapwise::internal
