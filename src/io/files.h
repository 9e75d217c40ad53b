#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gapwise::internal {

/// Replaces a file whole or not at all, with bytes that come one after the other: temporary file
/// beside it, fsync, rename. Keeps the permissions of an existing file and follows symbolic links;
/// a device, a pipe or /dev/stdout is written to directly. Throws InputError if that cannot be
/// done; an old file is then untouched and no temporary is left.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void add(std::string_view bytes);
  /// Puts the file in place. Without it nothing has happened.
  void commit();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The same for bytes that are all there.
void write_file(const std::string& path, std::string_view bytes);

/// Whether the file can be read more than once: not so standard input ("-"), pipes and devices.
bool can_be_read_again(const std::string& path);

/// The whole file. Throws InputError if it cannot be read.
std::string read_file(const std::string& path);

/// The same, but `accept` sees the first `head` bytes (fewer if there are no more) before the rest
/// is read, and may throw.
std::string read_file(const std::string& path, std::size_t head,
                      const std::function<void(std::string_view)>& accept);

/// What a gapwise file holds; the tag is part of its header.
enum class FileKind : std::uint32_t { kModel = 1, kCheckpoint = 2 };

/// Wraps `payload` with magic number, format version, kind and checksum (docs/formats.md).
std::string seal(FileKind kind, std::string_view payload);

/// Takes the wrapping off; refuses another kind, an unknown version and any damage with an
/// InputError that starts with `name`. The result points into `bytes`.
std::string_view unseal(FileKind kind, std::string_view bytes, const std::string& name);

/// read_file and unseal in one, for files of any size: nothing beyond the first bytes is read of a
/// file that is not ours. Returns the payload.
std::string read_sealed(FileKind kind, const std::string& path);

}  // namespace gapwise::internal
