#include <fmt/format.h>

#include <cassert>

#include "io/utf8.h"
#include "tasks/sequence/template.h"

namespace gapwise::internal {

using Kind = TemplatePiece::Kind;

void ColumnTable::clear() {
  text_.clear();
  ends_.clear();
  num_rows_ = 0;
}

void ColumnTable::add_cell(std::string_view text) {
  text_.append(text);
  ends_.push_back(text_.size());
}

TemplateExpander::TemplateExpander(const Template& source, int columns) : columns_(columns) {
  source.check_columns(columns);
  for (TemplateLine line : source.lines()) {
    for (TemplatePiece& piece : line.pieces) {
      if (piece.kind == Kind::kLower || piece.kind == Kind::kShape) {
        piece.column = derived_column(piece);
        piece.kind = Kind::kCell;
      }
    }
    (line.is_edge ? edges_ : nodes_).push_back(std::move(line));
  }
}

/// The number, behind the input columns, of the column that holds the form the piece asks for.
int TemplateExpander::derived_column(const TemplatePiece& piece) {
  std::size_t k = 0;
  while (k < derived_.size() &&
         (derived_[k].kind != piece.kind || derived_[k].column != piece.column)) {
    ++k;
  }
  if (k == derived_.size()) derived_.push_back({piece.kind, piece.column});
  return columns_ + static_cast<int>(k);
}

void TemplateExpander::set_table(const ColumnTable& table) {
  table_ = &table;
  forms_.clear();
  std::string form;
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    for (const Derived& derived : derived_) {
      const std::string_view cell = table.cell(row * static_cast<std::size_t>(columns_) +
                                               static_cast<std::size_t>(derived.column));
      form.clear();
      if (derived.kind == Kind::kLower) append_lower(cell, form);
      if (derived.kind == Kind::kShape) append_shape(cell, form);
      forms_.add_cell(form);
    }
    forms_.end_row();
  }
}

void TemplateExpander::expand(std::size_t row, Expansion& out) const {
  assert(table_ != nullptr && row < table_->num_rows());
  out.text.clear();
  out.ends.clear();
  for (const TemplateLine& line : nodes_) {
    if (append(line, row, out.text)) out.ends.push_back(out.text.size());
  }
  out.num_nodes = out.ends.size();
  if (row == 0) return;
  for (const TemplateLine& line : edges_) {
    if (append(line, row, out.text)) out.ends.push_back(out.text.size());
  }
}

/// Appends the attribute's name; leaves `out` as it was if the line gives none.
bool TemplateExpander::append(const TemplateLine& line, std::size_t row, std::string& out) const {
  const std::size_t before = out.size();
  for (const TemplatePiece& piece : line.pieces) {
    if (piece.kind == Kind::kLiteral) {
      out.append(piece.literal);
    } else if (!append(piece, row, out)) {
      out.resize(before);
      return false;
    }
  }
  return true;
}

bool TemplateExpander::append(const TemplatePiece& piece, std::size_t row, std::string& out) const {
  const auto num_rows = static_cast<std::int64_t>(table_->num_rows());
  const std::int64_t at = static_cast<std::int64_t>(row) + piece.row;
  if (at < 0 || at >= num_rows) {
    fmt::format_to(std::back_inserter(out), "_B{:+}", at < 0 ? at : at - num_rows + 1);
    return true;
  }
  const bool is_input = piece.column < columns_;
  const ColumnTable& table = is_input ? *table_ : forms_;
  const std::size_t width = is_input ? static_cast<std::size_t>(columns_) : derived_.size();
  const auto column = static_cast<std::size_t>(is_input ? piece.column : piece.column - columns_);
  std::string_view text = table.cell(static_cast<std::size_t>(at) * width + column);
  if (piece.kind == Kind::kCell) {
    out.append(text);
    return true;
  }
  const auto count = static_cast<std::size_t>(piece.count);
  text = piece.kind == Kind::kPrefix ? first_characters(text, count) : last_characters(text, count);
  out.append(text);
  return !text.empty();
}

}  // namespace gapwise::internal
