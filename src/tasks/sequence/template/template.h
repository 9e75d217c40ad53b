#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapwise::internal {

/// How far from the token a template may look.
constexpr int kFarthestRow = 99;

/// One piece of a template line: literal text, or a macro that looks at a cell of the table.
struct TemplatePiece {
  enum class Kind : std::uint8_t { kLiteral, kCell, kPrefix, kSuffix, kLower, kShape };

  Kind kind = Kind::kLiteral;
  std::string literal;
  int row = 0;  ///< relative to the token
  int column = 0;
  int count = 0;  ///< characters of a prefix or suffix
};

/// A template line, which gives each token at most one attribute.
struct TemplateLine {
  bool is_edge = false;  ///< a B line that looks at the input
  int line_number = 0;
  std::vector<TemplatePiece> pieces;
};

/// Feature templates in the language of CRF++ with a few macros more (docs/formats.md).
class Template {
 public:
  /// `name` stands for the file in messages.
  static Template parse(const std::vector<std::string>& lines, const std::string& name);
  static Template read(const std::string& path);
  /// The template used when none is given, for tokens with `columns` columns of input.
  static Template standard(int columns);

  const std::vector<std::string>& text() const { return text_; }  ///< without comments
  const std::vector<TemplateLine>& lines() const { return lines_; }

  /// InputError if a line looks at a column the data do not have.
  void check_columns(int columns) const;

 private:
  void parse_line(std::string_view line, int line_number);

  std::string name_;
  std::vector<std::string> text_;
  std::vector<TemplateLine> lines_;
};

}  // namespace gapwise::internal
