#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gapwise/errors.h"
#include "gapwise/types.h"

namespace gapwise::internal {

/// Whole lines taken out of a file, to be read elsewhere, such as on another thread.
struct LineBlock {
  std::string text;
  std::string name;      ///< of the file, for messages
  Index first_line = 1;  ///< its number in the file
};

/// The lines of a text file, a gzip file (recognised by its content, not its name) or standard
/// input ("-"). Line ends LF and CRLF and a byte order mark at the start are taken off; a NUL byte,
/// a line of more than 256 MiB, a damaged or truncated gzip stream and an unreadable file are
/// InputErrors.
class LineReader {
 public:
  explicit LineReader(const std::string& path);
  /// Those of a block, which outlives this, with their numbers in the file.
  explicit LineReader(const LineBlock& block);
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  /// The next line, valid until the next call; false at the end.
  bool next(std::string_view& line);
  /// The text ahead, up to 64 KiB, to tell a format from; takes nothing.
  std::string_view head();

  /// Takes about so many bytes of text, whole lines only; false at the end.
  bool take(std::size_t bytes, LineBlock& block);

  Index line_number() const;        ///< of the line last returned, from 1
  const std::string& name() const;  ///< for messages; "standard input" for "-"

  /// "name:line: what".
  [[noreturn]] void fail(const std::string& what) const;
  /// The same for a line that was read before.
  [[noreturn]] void fail_at(Index line, const std::string& what) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gapwise::internal
