#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapwise::internal {

/// The tokens of one sequence as a table of text cells.
class ColumnTable {
 public:
  void clear();
  void add_cell(std::string_view text);
  void end_row() { ++num_rows_; }

  std::size_t num_rows() const { return num_rows_; }
  std::string_view cell(std::size_t k) const {
    return {text_.data() + begin(k), end(k) - begin(k)};
  }

 private:
  std::size_t begin(std::size_t k) const { return k == 0 ? 0 : ends_[k - 1]; }
  std::size_t end(std::size_t k) const { return ends_[k]; }

  std::string text_;
  std::vector<std::size_t> ends_;
  std::size_t num_rows_ = 0;
};

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

/// The attributes of one token: names in a row.
struct Expansion {
  std::string text;
  std::vector<std::size_t> ends;
  std::size_t num_nodes = 0;  ///< the first so many are node attributes, the rest edge attributes
};

/// Applies a template to sequences with a given number of input columns; keeps scratch memory.
class TemplateExpander {
 public:
  TemplateExpander(const Template& source, int columns);

  /// `table` has exactly the input columns and stays unchanged while it is in use; lower-case and
  /// shape forms are made here, once per token.
  void set_table(const ColumnTable& table);
  /// Edge lines give nothing at row 0, where no step leads to.
  void expand(std::size_t row, Expansion& out) const;

 private:
  struct Derived {
    TemplatePiece::Kind kind;
    int column;
  };
  int derived_column(const TemplatePiece& piece);
  bool append(const TemplateLine& line, std::size_t row, std::string& out) const;
  bool append(const TemplatePiece& piece, std::size_t row, std::string& out) const;

  int columns_;
  std::vector<TemplateLine> nodes_;  ///< lower-case and shape macros made plain cells
  std::vector<TemplateLine> edges_;
  std::vector<Derived> derived_;
  ColumnTable forms_;  ///< the derived columns
  const ColumnTable* table_ = nullptr;
};

}  // namespace gapwise::internal
