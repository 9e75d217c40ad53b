#include <fmt/format.h>

#include "tasks/sequence/template/template.h"

namespace gapwise::internal {
namespace {

/// Writes template lines such as "U:w-1/w0=%x[-1,0]/%x[0,0]" from cells named like "w-1".
class Writer {
 public:
  struct Cell {
    char macro;
    int row;
    int column;
    int count = 0;
  };

  void add(const std::vector<Cell>& cells) {
    std::string name;
    std::string body;
    for (const Cell& cell : cells) {
      const std::string_view separator = name.empty() ? "" : "/";
      name += fmt::format("{}{}{}", separator, kind_name(cell), cell.row);
      body += fmt::format("{}%{}[{},{}", separator, cell.macro, cell.row, cell.column);
      body += cell.count > 0 ? fmt::format(",{}]", cell.count) : "]";
    }
    lines.push_back(fmt::format("U:{}={}", name, body));
  }

  std::vector<std::string> lines;

 private:
  /// w for words, c1@ for column 1, p3@ for prefixes of three characters, and so on.
  static std::string kind_name(const Cell& cell) {
    if (cell.count > 0) return fmt::format("{}{}@", cell.macro, cell.count);
    if (cell.macro != 'x') return std::string(1, cell.macro);
    return cell.column == 0 ? "w" : fmt::format("c{}@", cell.column);
  }
};

/// All windows of `width` cells of a column that lie within `reach` rows of the token.
void add_windows(Writer& writer, char macro, int column, int width, int reach) {
  for (int first = -reach; first + width - 1 <= reach; ++first) {
    std::vector<Writer::Cell> cells;
    for (int k = 0; k < width; ++k) cells.push_back({macro, first + k, column});
    writer.add(cells);
  }
}

void add_word_lines(Writer& writer) {
  add_windows(writer, 'x', 0, 1, 2);
  add_windows(writer, 'x', 0, 2, 1);
  writer.add({{'l', 0, 0}});
  for (int count = 1; count <= 4; ++count) {
    writer.add({{'p', 0, 0, count}});
    writer.add({{'s', 0, 0, count}});
  }
  add_windows(writer, 'h', 0, 1, 1);
  add_windows(writer, 'h', 0, 2, 1);
}

/// Part-of-speech tags and the like: by themselves, and with the words around them.
void add_tag_lines(Writer& writer, int column) {
  for (int width = 1; width <= 3; ++width) add_windows(writer, 'x', column, width, 2);
  for (int row = -1; row <= 1; ++row) writer.add({{'x', 0, 0}, {'x', row, column}});
  writer.add({{'x', -1, 0}, {'x', 0, column}});
  writer.add({{'x', 1, 0}, {'x', 0, column}});
}

}  // namespace

Template Template::standard(int columns) {
  Writer writer;
  writer.lines.emplace_back("U:bias");
  add_word_lines(writer);
  for (int column = 1; column < columns; ++column) add_tag_lines(writer, column);
  writer.lines.emplace_back("B");
  return parse(writer.lines, "standard template");
}

}  // namespace gapwise::internal
