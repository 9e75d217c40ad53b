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
/// done; an old file is then untouched and no temporary is left. What a program that was killed has
/// left goes with the next file written to the same place.
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

/// Cuts a file off behind `size` bytes, adds `bytes` there and waits until they are on the disk; a
/// file that is not there is made. For files that consist of sealed pieces: what is cut short at
/// the end tells so itself. Throws InputError if that cannot be done.
void append_file(const std::string& path, std::size_t size, std::string_view bytes);

/// Where the bytes of a file of this name go: links followed, and the folder in its only form. Two
/// names with the same place are one file, even if it is not there yet.
std::string place_of(const std::string& path);

/// Whether the file can be read more than once: not so standard input ("-"), pipes and devices.
bool can_be_read_again(const std::string& path);

/// The whole file. Throws InputError if it cannot be read.
std::string read_file(const std::string& path);

/// The same, but `accept` sees the first `head` bytes (fewer if there are no more) before the rest
/// is read, and says how long the file should be: one byte more than that, at the most, is read of
/// a longer one. It may throw.
using AcceptHead = std::function<std::uint64_t(std::string_view head)>;
std::string read_file(const std::string& path, std::size_t head, const AcceptHead& accept);

/// What a gapwise file holds; the tag is part of its header.
enum class FileKind : std::uint32_t { kModel = 1, kCheckpoint = 2, kProof = 3, kPath = 4 };

/// Wraps `payload` with magic number, format version, kind and checksum (docs/formats.md).
std::string seal(FileKind kind, std::string_view payload);

/// Takes the wrapping off; refuses another kind, an unknown version and any damage with an
/// InputError that starts with `name`. The result points into `bytes`.
std::string_view unseal(FileKind kind, std::string_view bytes, const std::string& name);

/// read_file and unseal in one, for files of any size: nothing beyond the first bytes is read of a
/// file that is not ours, and nothing beyond the size that it announces. Returns the payload.
std::string read_sealed(FileKind kind, const std::string& path);

/// The same for payloads that begin with something to look at before the rest is read: `accept` is
/// given the first `head` bytes of it (fewer if there are no more) and may throw.
struct PayloadHead {
  std::size_t size = 0;
  std::function<void(std::string_view head)> accept;
};
std::string read_sealed(FileKind kind, const std::string& path, const PayloadHead& head);

/// Only looks at the beginning of a file, as read_sealed does.
void check_sealed_head(FileKind kind, const std::string& path, const PayloadHead& head);

}  // namespace gapwise::internal
