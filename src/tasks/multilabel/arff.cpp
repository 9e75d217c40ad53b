#include "tasks/multilabel/arff.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kForm =
    "expected lines '@attribute NAME TYPE', then '@data', then a row of values on each line";

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether the text begins with the keyword, in any case, as a word of its own.
bool starts_with_word(std::string_view text, std::string_view keyword) {
  if (text.size() < keyword.size()) return false;
  for (std::size_t k = 0; k < keyword.size(); ++k) {
    if (to_lower(text[k]) != keyword[k]) return false;
  }
  return text.size() == keyword.size() || is_blank(text[keyword.size()]);
}

bool is_word(std::string_view text, std::string_view keyword) {
  return text.size() == keyword.size() && starts_with_word(text, keyword);
}

std::string_view without_comment(std::string_view line) {
  line = trim_blanks(line);
  return line.starts_with('%') ? std::string_view{} : line;
}

/// Takes words from the front of a line: text up to a blank, a comma or a closing brace, or
/// anything in quotes, with backslashes before quotes and backslashes.
class Scanner {
 public:
  Scanner(std::string_view text, const LineReader& lines) : rest_(text), lines_(lines) {}

  /// False if there is no word before the next comma, brace or the end.
  bool word(std::string& out, bool& is_quoted) {
    skip_blanks();
    out.clear();
    is_quoted = !rest_.empty() && (rest_.front() == '\'' || rest_.front() == '"');
    if (is_quoted) {
      quoted(out);
      return true;
    }
    std::size_t size = 0;
    while (size < rest_.size() && !is_blank(rest_[size]) && rest_[size] != ',' &&
           rest_[size] != '}') {
      ++size;
    }
    out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return size > 0;
  }
  /// Takes the character if it comes next.
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view rest() {
    skip_blanks();
    return rest_;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  void quoted(std::string& out) {
    const char quote = rest_.front();
    std::size_t at = 1;
    while (at < rest_.size() && rest_[at] != quote) {
      if (rest_[at] == '\\' && at + 1 < rest_.size()) ++at;
      out.push_back(rest_[at++]);
    }
    if (at >= rest_.size()) {
      lines_.fail(fmt::format("the quote {} is never closed; close it on the same line", quote));
    }
    rest_.remove_prefix(at + 1);
  }

  std::string_view rest_;
  const LineReader& lines_;
};

}  // namespace

ArffReader::ArffReader(LineReader& lines) : lines_(lines) {
  std::string_view line;
  std::unordered_set<std::string> names;
  while (lines_.next(line)) {
    const std::size_t before = attributes_.size();
    if (read_header_line(without_comment(line))) {
      if (attributes_.empty()) lines_.fail("there are no attributes before @data; declare them");
      return;
    }
    if (attributes_.size() > before && !names.insert(attributes_.back().name).second) {
      lines_.fail(fmt::format("attribute '{}' is declared twice; rename or leave out one of them",
                              attributes_.back().name));
    }
  }
  throw InputError(fmt::format("{}: has no @data line; {}", lines_.name(), kForm));
}

/// True at the end of the header.
bool ArffReader::read_header_line(std::string_view line) {
  if (line.empty() || starts_with_word(line, "@relation")) return false;
  if (is_word(line, "@data")) return true;
  constexpr std::string_view kAttribute = "@attribute";
  if (!starts_with_word(line, kAttribute)) {
    lines_.fail(fmt::format("'{}' is no line of an ARFF header; {}", line.substr(0, 40), kForm));
  }
  read_attribute(line.substr(kAttribute.size()));
  return false;
}

void ArffReader::read_attribute(std::string_view text) {
  Scanner scanner(text, lines_);
  ArffAttribute attribute;
  bool is_quoted = false;
  if (!scanner.word(attribute.name, is_quoted)) {
    lines_.fail("the attribute has no name; expected '@attribute NAME TYPE'");
  }
  read_type(scanner.rest(), attribute);
  attributes_.push_back(std::move(attribute));
}

void ArffReader::read_type(std::string_view text, ArffAttribute& attribute) const {
  for (const std::string_view type : {"numeric", "real", "integer"}) {
    if (is_word(text, type)) return;
  }
  if (!text.starts_with('{')) {
    lines_.fail(
        fmt::format("attribute '{}' has type '{}', expected numeric, real, integer or values in "
                    "braces; turn it into one of these or leave it out",
                    attribute.name, text.substr(0, 40)));
  }
  attribute.is_numeric = false;
  Scanner scanner(text.substr(1), lines_);
  std::string value;
  bool is_quoted = false;
  do {
    if (!scanner.word(value, is_quoted)) {
      lines_.fail(fmt::format("attribute '{}' has an empty value; separate its values by commas",
                              attribute.name));
    }
    if (attribute.values.find(value) != Alphabet::kUnknown) {
      lines_.fail(fmt::format("attribute '{}' has the value '{}' twice; leave one of the two out",
                              attribute.name, value));
    }
    attribute.values.add(value);
  } while (scanner.take(','));
  if (!scanner.take('}') || !scanner.rest().empty()) {
    lines_.fail(fmt::format("the values of attribute '{}' must end in a closing brace, found '{}'",
                            attribute.name, scanner.rest().substr(0, 40)));
  }
}

bool ArffReader::read(std::vector<ArffCell>& cells) {
  std::string_view line;
  while (lines_.next(line)) {
    line = without_comment(line);
    if (line.empty()) continue;
    cells.clear();
    if (line.starts_with('{')) {
      read_sparse(line.substr(1), cells);
    } else {
      read_dense(line, cells);
    }
    return true;
  }
  return false;
}

void ArffReader::read_dense(std::string_view line, std::vector<ArffCell>& cells) {
  Scanner scanner(line, lines_);
  bool is_quoted = false;
  do {
    ArffCell cell{cells.size(), {}, false};
    if (!scanner.word(cell.text, is_quoted)) {
      lines_.fail(
          fmt::format("value {} of the row is empty; write ? for a missing one", cells.size() + 1));
    }
    cell.is_missing = !is_quoted && cell.text == "?";
    cells.push_back(std::move(cell));
  } while (scanner.take(',') && cells.size() <= attributes_.size());
  if (cells.size() != attributes_.size() || !scanner.rest().empty()) {
    lines_.fail(fmt::format(
        "the row has {} values{}, expected {}, one for each attribute",
        cells.size() > attributes_.size() ? "more" : fmt::to_string(cells.size()),
        scanner.rest().empty() ? "" : fmt::format(" and then '{}'", scanner.rest().substr(0, 40)),
        attributes_.size()));
  }
}

void ArffReader::read_sparse(std::string_view line, std::vector<ArffCell>& cells) {
  Scanner scanner(line, lines_);
  std::string index;
  bool is_quoted = false;
  while (!scanner.take('}')) {
    if (!cells.empty() && !scanner.take(',')) {
      lines_.fail(fmt::format("found '{}' where a comma or a closing brace was expected",
                              scanner.rest().substr(0, 40)));
    }
    scanner.word(index, is_quoted);
    ArffCell cell{0, {}, false};
    const char* last = index.data() + index.size();
    const auto [end, error] = std::from_chars(index.data(), last, cell.attribute);
    if (error != std::errc() || end != last || cell.attribute >= attributes_.size()) {
      lines_.fail(fmt::format("attribute number '{}' is not a whole number from 0 to {}", index,
                              attributes_.size() - 1));
    }
    if (!cells.empty() && cell.attribute <= cells.back().attribute) {
      lines_.fail(fmt::format("attribute {} comes after {}; list each once, in increasing order",
                              cell.attribute, cells.back().attribute));
    }
    if (!scanner.word(cell.text, is_quoted)) {
      lines_.fail(fmt::format("attribute {} has no value; expected '{{number value, ...}}'",
                              cell.attribute));
    }
    cell.is_missing = !is_quoted && cell.text == "?";
    cells.push_back(std::move(cell));
  }
  if (!scanner.rest().empty()) {
    lines_.fail(
        fmt::format("'{}' follows the closing brace; take it away", scanner.rest().substr(0, 40)));
  }
}

bool looks_like_arff(std::string_view head) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_comment(line);
    if (!line.empty()) {
      return starts_with_word(line, "@relation") || starts_with_word(line, "@attribute") ||
             starts_with_word(line, "@data");
    }
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return false;
}

std::string arff_word(std::string_view text) {
  const bool is_plain =
      !text.empty() && text.find_first_of(" \t,'\"{}%\\") == std::string_view::npos && text != "?";
  if (is_plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + "'";
}

}  // namespace gapwise::internal
