#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/alphabet.h"
#include "tasks/sequence/template/pair_numbers.h"
#include "tasks/sequence/template/template.h"

namespace gapwise::internal {

/// Applies a template to sequences of tokens with a given number of input columns. The name of an
/// attribute is spelt out, and its number asked for, when the cells that its line looks at meet for
/// the first time; from then on it is found by the numbers of these cells.
class TemplateExpander {
 public:
  /// Knows the numbers of attributes: those of a growing alphabet, or of a fixed one, which answers
  /// Alphabet::kUnknown for what it does not have.
  class Names {
   public:
    virtual ~Names() = default;
    virtual std::uint32_t number_node(std::string_view name) = 0;
    virtual std::uint32_t number_edge(std::string_view name) = 0;
  };

  TemplateExpander(const Template& source, int columns);

  /// Begins a sequence.
  void clear();
  /// The input columns of its tokens, row after row.
  void add_cell(std::string_view text);
  void end_row();
  std::size_t num_rows() const { return num_rows_; }
  /// What stands in an input column of a row.
  std::string_view cell(std::size_t row, std::size_t column) const;

  /// The numbers of the attributes of one token in the order of the template, as far as they are
  /// known. No edges at row 0, where no step leads to. The spans hold until the next call.
  struct Attributes {
    std::span<const std::uint32_t> nodes;
    std::span<const std::uint32_t> edges;
  };
  Attributes expand(std::size_t row, Names& names);

 private:
  using Piece = TemplatePiece;
  /// A column of texts, numbered. Behind the input columns stand those of their lower-case and
  /// shape forms.
  struct Column {
    Alphabet texts;
    Piece::Kind form = Piece::Kind::kCell;
    int source = 0;                    ///< of a form: the input column
    std::vector<std::uint32_t> forms;  ///< of a form: by the number of the source's text
  };
  /// A template line and the attributes it has given so far.
  struct Line {
    std::vector<Piece> pieces;
    std::vector<Piece> cells;            ///< those of the pieces that are not literals
    std::vector<std::uint32_t> by_cell;  ///< for one cell: by its number
    std::vector<PairNumbers> prefixes;   ///< for more: numbers of the first two, three, ... cells
    PairNumbers attributes;              ///< by the last of these and the last cell
    bool is_edge = false;
    // Of the token at hand:
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  int form_column(const Piece& piece);
  std::uint32_t number_form(Column& column, std::uint32_t source);
  std::uint32_t cell_at(std::size_t row, const Piece& piece) const;
  void look(Line& line, std::size_t row);
  std::uint32_t find(Line& line, std::size_t row, Names& names);
  std::uint32_t ask(const Line& line, std::size_t row, Names& names);
  bool append(const Piece& piece, std::size_t row, std::string& out) const;

  std::size_t inputs_;
  std::vector<Column> columns_;
  std::vector<Line> lines_;  ///< those of nodes first
  std::size_t num_node_lines_ = 0;

  std::vector<std::uint32_t> cells_;  ///< of the sequence: [row][column]
  std::size_t num_rows_ = 0;
  std::vector<std::uint32_t> found_;
  std::string name_;
};

}  // namespace gapwise::internal
