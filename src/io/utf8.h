#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gapwise::internal {

/// Characters are UTF-8 code points; a byte that is part of none counts as one character.

/// Length in bytes of the character at text[at].
std::size_t character_size(std::string_view text, std::size_t at);

/// The first or last `count` characters, or the null view if there are fewer.
std::string_view first_characters(std::string_view text, std::size_t count);
std::string_view last_characters(std::string_view text, std::size_t count);

/// Appends the text in lower case: Latin, Greek, Cyrillic and Armenian letters, one for one;
/// everything else as it is.
void append_lower(std::string_view text, std::string& out);
std::string lowered(std::string_view text);

/// Appends the text's shape: X for capitals, x for other letters (and all other characters beyond
/// ASCII), d for digits, other characters as they are; runs of the same are written once.
/// "McDonald-1998s" is "XxXx-dx".
void append_shape(std::string_view text, std::string& out);

}  // namespace gapwise::internal
