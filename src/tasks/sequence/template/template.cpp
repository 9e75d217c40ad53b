#include "tasks/sequence/template/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "io/lines.h"

namespace gapwise::internal {
namespace {

constexpr int kMostCharacters = 99;
constexpr std::string_view kLanguage =
    "write U or B lines with %x[row,column], %p[row,column,n], %s[row,column,n], %l[row,column] or "
    "%h[row,column]";

struct Macro {
  char letter;
  TemplatePiece::Kind kind;
  std::size_t num_arguments;
};
constexpr Macro kMacros[] = {
    {'x', TemplatePiece::Kind::kCell, 2},   {'p', TemplatePiece::Kind::kPrefix, 3},
    {'s', TemplatePiece::Kind::kSuffix, 3}, {'l', TemplatePiece::Kind::kLower, 2},
    {'h', TemplatePiece::Kind::kShape, 2},
};

/// Reads one template line; every complaint names its place.
class LineParser {
 public:
  LineParser(std::string_view line, std::string where) : rest_(line), where_(std::move(where)) {}

  std::vector<TemplatePiece> pieces() {
    std::vector<TemplatePiece> found;
    while (!rest_.empty()) {
      const std::size_t percent = rest_.find('%');
      if (percent != 0) {
        TemplatePiece piece;
        piece.literal = rest_.substr(0, percent);
        found.push_back(std::move(piece));
        rest_.remove_prefix(std::min(percent, rest_.size()));
      } else {
        found.push_back(macro());
      }
    }
    return found;
  }

 private:
  TemplatePiece macro() {
    const std::string_view shown = rest_.substr(0, 2);
    rest_.remove_prefix(shown.size());
    for (const Macro& known : kMacros) {
      if (shown.back() == known.letter) return arguments(known);
    }
    fail(fmt::format("'{}' is not a macro", shown));
  }

  TemplatePiece arguments(const Macro& known) {
    const std::size_t close = rest_.find(']');
    if (!rest_.starts_with('[') || close == std::string_view::npos) {
      fail(fmt::format("'%{}' is not followed by [...]", known.letter));
    }
    const std::vector<int> values = integers(rest_.substr(1, close - 1));
    if (values.size() != known.num_arguments) {
      fail(fmt::format("'%{}{}' needs {} whole numbers", known.letter, rest_.substr(0, close + 1),
                       known.num_arguments));
    }
    rest_.remove_prefix(close + 1);
    TemplatePiece piece;
    piece.kind = known.kind;
    piece.row = in_range("row", values[0], -kFarthestRow, kFarthestRow);
    piece.column = in_range("column", values[1], 0, kMostColumns - 1);
    if (values.size() > 2) {
      piece.count = in_range("number of characters", values[2], 1, kMostCharacters);
    }
    return piece;
  }

  /// The numbers of a comma-separated list; empty if it is not one.
  static std::vector<int> integers(std::string_view list) {
    std::vector<int> values;
    while (true) {
      const std::string_view item = trim_blanks(list.substr(0, list.find(',')));
      int value = 0;
      const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), value);
      if (error != std::errc() || end != item.data() + item.size()) return {};
      values.push_back(value);
      const std::size_t comma = list.find(',');
      if (comma == std::string_view::npos) return values;
      list.remove_prefix(comma + 1);
    }
  }

  int in_range(std::string_view what, int value, int low, int high) {
    if (value < low || value > high) {
      throw InputError(
          fmt::format("{}: {} {} must be from {} to {}", where_, what, value, low, high));
    }
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}: {}; {}", where_, what, kLanguage));
  }

  std::string_view rest_;
  std::string where_;
};

bool looks_at_input(const TemplateLine& line) {
  for (const TemplatePiece& piece : line.pieces) {
    if (piece.kind != TemplatePiece::Kind::kLiteral) return true;
  }
  return false;
}

}  // namespace

Template Template::parse(const std::vector<std::string>& lines, const std::string& name) {
  Template result;
  result.name_ = name;
  int line_number = 0;
  for (const std::string& line : lines) result.parse_line(line, ++line_number);
  if (result.text_.empty()) {
    throw InputError(fmt::format("{}: no template in it; {}", name, kLanguage));
  }
  return result;
}

Template Template::read(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next(line)) lines.emplace_back(line);
  return parse(lines, reader.name());
}

void Template::parse_line(std::string_view line, int line_number) {
  line = trim_blanks(line);
  if (line.empty() || line.front() == '#') return;
  const std::string where = fmt::format("{}:{}", name_, line_number);
  if (line.front() != 'U' && line.front() != 'B') {
    throw InputError(
        fmt::format("{}: the line starts with '{}'; {}", where, line.substr(0, 1), kLanguage));
  }
  TemplateLine parsed;
  parsed.line_number = line_number;
  parsed.pieces = LineParser(line, where).pieces();
  parsed.is_edge = line.front() == 'B';
  text_.emplace_back(line);
  // A B line without a macro is the plain transition, which every model has.
  if (!parsed.is_edge || looks_at_input(parsed)) lines_.push_back(std::move(parsed));
}

void Template::check_columns(int columns) const {
  for (const TemplateLine& line : lines_) {
    for (const TemplatePiece& piece : line.pieces) {
      if (piece.kind != TemplatePiece::Kind::kLiteral && piece.column >= columns) {
        throw InputError(fmt::format(
            "{}:{}: column {} is out of range: the data have {} columns of input, numbered from 0 "
            "(the label is not one of them); correct the template or add the column",
            name_, line.line_number, piece.column, columns));
      }
    }
  }
}

}  // namespace gapwise::internal
