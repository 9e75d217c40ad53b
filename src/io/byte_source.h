#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gapwise::internal {

/// The bytes of a file or of standard input ("-"), unpacked if they are gzip. What LineReader and
/// the readers of binary formats stand on.
class ByteSource {
 public:
  explicit ByteSource(const std::string& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills up to `size` bytes; 0 only at the end. InputError if the file cannot be read or is
  /// damaged.
  std::size_t read(char* into, std::size_t size);

  const std::string& name() const { return name_; }

 private:
  std::size_t read_raw(char* into, std::size_t size);
  void refill();
  void look_for_gzip();
  std::size_t inflate_some(char* into, std::size_t size);
  /// After a member: starts the next one, or false at the end of the file.
  bool next_member();
  [[noreturn]] void fail(const std::string& what) const;

  std::string name_;
  int file_ = -1;
  std::uint64_t size_ = 0;    ///< of the file; 0 if it has none
  std::uint64_t read_ = 0;    ///< of it
  std::vector<char> packed_;  ///< bytes as they are in the file
  std::size_t begin_ = 0;     ///< of what is left in packed_
  std::size_t end_ = 0;
  bool started_ = false;
  bool is_gzip_ = false;
  bool is_finished_ = false;  ///< the last gzip member has ended
  bool at_end_ = false;       ///< of the file
  z_stream stream_{};
};

}  // namespace gapwise::internal
