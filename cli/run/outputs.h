#pragma once

#include <string>
#include <string_view>

namespace gapwise::internal::cli {

/// Checks before any work is done that `path` can be written as a whole file; throws OptionError
/// with the remedy otherwise. An empty path passes.
void check_output(std::string_view option, const std::string& path);

/// Makes the directory `path` with those above it, unless it is there; throws OptionError with the
/// remedy if that cannot be done.
void make_folder(std::string_view option, const std::string& path);

/// Throws OptionError if `path` exists and is a device, a pipe or the like.
void check_regular(std::string_view option, const std::string& path);

/// Throws OptionError if data that are needed twice can be read only once, as from a pipe.
void check_read_again(const std::string& path);

/// Throws OptionError if both paths name the same file.
void check_distinct(std::string_view option_a, const std::string& a, std::string_view option_b,
                    const std::string& b);

}  // namespace gapwise::internal::cli
