#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Text that means itself in HTML and in the value of an attribute; bytes that are no UTF-8 and
/// control characters are replaced.
std::string escaped(std::string_view text);
std::string base64(std::string_view bytes);
/// The bytes that hexadecimal digits stand for.
std::string from_hex(std::string_view digits);

std::string show_number(double value);  ///< six significant digits
std::string show_short(double value);   ///< four
std::string show_whole(double value);   ///< "47,363"
std::string show_share(double value);   ///< "0.94 %"
std::string show_bytes(double value);   ///< "312 MB"
/// The number, or nothing.
std::string show_number(const std::optional<double>& value);

/// A cell of a table. Numbers stand to the right.
struct Cell {
  std::string text;   ///< as it stands in the page: escaped already
  std::string shade;  ///< class that tells its colour; empty: none
  bool is_head = false;
};

/// Columns of a table; `key` names what scripts look for.
struct Column {
  std::string title;
  std::string key = {};
  bool is_text = false;
};

/// A table with a caption, in a frame that scrolls if the window is narrow. The first cell of each
/// row is its head.
class Table {
 public:
  Table(std::string caption, std::vector<Column> columns);

  Table& mark(std::string attributes);  ///< of the element, as they stand in the page
  void add(std::vector<Cell> row);
  /// Text cells of rows that need no more.
  void add_text(const std::vector<std::string>& row);
  std::string html() const;

 private:
  std::string caption_;
  std::vector<Column> columns_;
  std::string attributes_;
  std::string rows_;
};

/// <details> with a heading; `is_open` at first.
std::string folded(std::string_view summary, std::string_view content, bool is_open = false);
/// <section> with a heading.
std::string section(std::string_view id, std::string_view title, std::string_view content);

}  // namespace gapwise::internal
