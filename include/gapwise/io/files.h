#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gapwise {

/// Replaces the file whole or not at all: temporary file beside it, fsync, rename. Throws
/// InputError if that cannot be done; the old file is then untouched and no temporary is left.
void write_file(const std::string& path, std::string_view bytes);

/// The whole file. Throws InputError if it cannot be read.
std::string read_file(const std::string& path);

/// What a gapwise file holds; the tag is part of its header.
enum class FileKind : std::uint32_t { kModel = 1, kCheckpoint = 2 };

/// Wraps `payload` with magic number, format version, kind and checksum (docs/formats.md).
std::string seal(FileKind kind, std::string_view payload);

/// Takes the wrapping off; refuses another kind, an unknown version and any damage with an
/// InputError that starts with `name`. The result points into `bytes`.
std::string_view unseal(FileKind kind, std::string_view bytes, const std::string& name);

}  // namespace gapwise
