#include <fmt/format.h>

#include "io/template.h"

namespace gapwise {
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
  static std::string kind_name(const Cell& cell) {
    if (cell.macro != 'x')
      return fmt::format("{}{}", cell.macro, cell.count > 0 ? fmt::format("{}@", cell.count) : "");
    return cell.column == 0 ? "w" : fmt::format("c{}@", cell.column);
  }
};

/// All windows of `width` cells of a column that lie within `reach` rows of the token.
void add_windows(Writer& writer, int column, int width, int reach) {
  for (int first = -reach; first + width - 1 <= reach; ++first) {
    std::vector<Writer::Cell> cells;
    for (int k = 0; k < width; ++k) cells.push_back({'x', first + k, column});
    writer.add(cells);
  }
}

void add_word_lines(Writer& writer) {
  add_windows(writer, 0, 1, 2);
  add_windows(writer, 0, 2, 1);
  writer.add({{'l', 0, 0}});
  for (int count = 1; count <= 4; ++count) {
    writer.add({{'p', 0, 0, count}});
    writer.add({{'s', 0, 0, count}});
  }
  for (int row = -1; row <= 1; ++row) writer.add({{'h', row, 0}});
}

void add_tag_lines(Writer& writer, int column) {
  add_windows(writer, column, 1, 2);
  add_windows(writer, column, 2, 2);
  add_windows(writer, column, 3, 2);
  for (int row = -1; row <= 1; ++row) writer.add({{'x', 0, 0}, {'x', row, column}});
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

}  // namespace gapwise
