#pragma once

#include <string_view>

namespace gapwise::internal::cli {

/// Writes to standard output at once. Error if that cannot be done.
void put_output(std::string_view text);

/// Writes what is still held back. Error if that, or anything before it, could not be done.
void flush_output();

}  // namespace gapwise::internal::cli
