#pragma once

#include <cstddef>
#include <string>

#include "core/hidden.h"

namespace gapwise::internal {

/// The bytes of a file or of standard input ("-"), unpacked if they are gzip. What LineReader and
/// the readers of binary formats stand on.
class ByteSource {
 public:
  explicit ByteSource(const std::string& path);

  /// Fills up to `size` bytes; 0 only at the end. InputError if the file cannot be read or is
  /// damaged.
  std::size_t read(char* into, std::size_t size);

  const std::string& name() const;

 private:
  class Impl;
  Hidden<Impl> impl_;
};

}  // namespace gapwise::internal
