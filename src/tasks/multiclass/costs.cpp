#include "tasks/multiclass/costs.h"

#include <fmt/format.h>

#include <numeric>

#include "io/fields.h"
#include "io/lines.h"

namespace gapwise::internal {
namespace {

/// A table of words, one row per line that is neither blank nor a comment.
struct Table {
  std::string name;
  std::vector<std::vector<std::string>> rows;
  std::vector<Index> line_numbers;

  [[noreturn]] void fail(std::size_t row, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name, line_numbers[row], what));
  }
};

Table read_table(const std::string& path) {
  LineReader lines(path);
  Table table{lines.name(), {}, {}};
  std::string_view line;
  std::vector<std::string_view> fields;
  while (lines.next(line)) {
    split_blanks(line.substr(0, line.find('#')), fields);
    if (fields.empty()) continue;
    table.rows.emplace_back(fields.begin(), fields.end());
    table.line_numbers.push_back(lines.line_number());
    if (fields.size() != table.rows.front().size()) {
      lines.fail(
          fmt::format("{}, but the lines before have {}; the table has as many columns as "
                      "classes",
                      counted(fields.size(), "column"), table.rows.front().size()));
    }
  }
  if (table.rows.empty()) {
    throw InputError(fmt::format("{}: is empty; expected one line of costs per class", table.name));
  }
  return table;
}

/// For each class its column in the table.
std::vector<std::size_t> find_columns(const Table& table, bool has_header,
                                      const Alphabet& classes) {
  std::vector<std::size_t> columns(classes.size());
  if (!has_header) {
    if (table.rows.size() != classes.size()) {
      throw InputError(fmt::format(
          "{}: costs of {} classes, but the training data have {}; name the classes in a first "
          "line if the table has more",
          table.name, table.rows.size(), classes.size()));
    }
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
  }
  const Alphabet header = Alphabet::from_names(table.rows.front());
  if (header.size() != table.rows.front().size()) table.fail(0, "a class is named twice");
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const std::uint32_t column = header.find(classes.name(k));
    if (column == Alphabet::kUnknown) {
      table.fail(0, fmt::format("class '{}' of the training data is missing; give its costs",
                                classes.name(k)));
    }
    columns[k] = column;
  }
  return columns;
}

double parse_cost(const Table& table, std::size_t row, const std::string& text, bool is_right) {
  double cost = 0.0;
  if (parse_value(text, cost) != ValueText::kGood || cost < 0.0) {
    table.fail(row, fmt::format("cost '{}' is not a finite number of at least 0", text));
  }
  if (is_right && cost != 0.0) {
    table.fail(row, fmt::format("the right class costs {}; the diagonal must be 0", text));
  }
  return cost;
}

}  // namespace

std::vector<double> read_costs(const std::string& path, const Alphabet& classes) {
  const Table table = read_table(path);
  const std::size_t width = table.rows.front().size();
  const bool has_header = table.rows.size() == width + 1;
  if (!has_header && table.rows.size() != width) {
    throw InputError(fmt::format(
        "{}: {} of {}; expected as many lines as columns, or one more with the names of the "
        "classes first",
        table.name, counted(table.rows.size(), "line"), counted(width, "column")));
  }
  const std::vector<std::size_t> columns = find_columns(table, has_header, classes);
  std::vector<double> costs;
  for (const std::size_t truth : columns) {
    const std::size_t row = truth + (has_header ? 1 : 0);
    for (const std::size_t predicted : columns) {
      costs.push_back(parse_cost(table, row, table.rows[row][predicted], truth == predicted));
    }
  }
  return costs;
}

}  // namespace gapwise::internal
