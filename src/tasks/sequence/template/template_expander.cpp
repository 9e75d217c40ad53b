#include "tasks/sequence/template/template_expander.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "io/utf8.h"

namespace gapwise::internal {
namespace {

using Kind = TemplatePiece::Kind;

/// Numbers of cells from 0 on stand for places outside the sequence, so many before its first row
/// up to so many behind its last one; texts follow.
constexpr std::int64_t kFarthest = kFarthestRow;
constexpr std::uint32_t kFirstText = 2 * kFarthest + 1;

constexpr std::uint32_t kNotSeen = PairNumbers::kNone;
constexpr std::uint32_t kNoAttribute = kNotSeen - 1;
static_assert(Alphabet::kUnknown == kNotSeen);

}  // namespace

TemplateExpander::TemplateExpander(const Template& source, int columns)
    : inputs_(static_cast<std::size_t>(columns)), columns_(inputs_) {
  source.check_columns(columns);
  for (const bool is_edge : {false, true}) {
    for (const TemplateLine& line : source.lines()) {
      if (line.is_edge != is_edge) continue;
      Line& added = lines_.emplace_back();
      added.is_edge = is_edge;
      for (Piece piece : line.pieces) {
        if (piece.kind == Kind::kLower || piece.kind == Kind::kShape) {
          piece.column = form_column(piece);
          piece.kind = Kind::kCell;
        }
        if (piece.kind != Kind::kLiteral) added.cells.push_back(piece);
        added.pieces.push_back(std::move(piece));
      }
      if (added.cells.size() > 2) added.prefixes.resize(added.cells.size() - 2);
    }
    if (!is_edge) num_node_lines_ = lines_.size();
  }
}

/// The column that holds the form the piece asks for.
int TemplateExpander::form_column(const Piece& piece) {
  const auto found =
      std::find_if(columns_.begin() + static_cast<std::ptrdiff_t>(inputs_), columns_.end(),
                   [&](const Column& column) {
                     return column.form == piece.kind && column.source == piece.column;
                   });
  const auto at = static_cast<int>(found - columns_.begin());
  if (found == columns_.end()) {
    Column& column = columns_.emplace_back();
    column.form = piece.kind;
    column.source = piece.column;
  }
  return at;
}

void TemplateExpander::clear() {
  cells_.clear();
  num_rows_ = 0;
}

void TemplateExpander::add_cell(std::string_view text) {
  const std::size_t column = cells_.size() - num_rows_ * columns_.size();
  assert(column < inputs_);
  cells_.push_back(kFirstText + columns_[column].texts.add(text));
}

void TemplateExpander::end_row() {
  const std::size_t first = num_rows_ * columns_.size();
  assert(cells_.size() == first + inputs_);
  for (std::size_t k = inputs_; k < columns_.size(); ++k) {
    const std::uint32_t source = cells_[first + static_cast<std::size_t>(columns_[k].source)];
    cells_.push_back(kFirstText + number_form(columns_[k], source - kFirstText));
  }
  ++num_rows_;
}

std::string_view TemplateExpander::cell(std::size_t row, std::size_t column) const {
  return columns_[column].texts.name(cells_[row * columns_.size() + column] - kFirstText);
}

std::uint32_t TemplateExpander::number_form(Column& column, std::uint32_t source) {
  if (source >= column.forms.size()) column.forms.resize(source + 1, kNotSeen);
  std::uint32_t& number = column.forms[source];
  if (number == kNotSeen) {
    const std::string_view text =
        columns_[static_cast<std::size_t>(column.source)].texts.name(source);
    name_.clear();
    if (column.form == Kind::kLower) append_lower(text, name_);
    if (column.form == Kind::kShape) append_shape(text, name_);
    number = column.texts.add(name_);
  }
  return number;
}

std::uint32_t TemplateExpander::cell_at(std::size_t row, const Piece& piece) const {
  const auto num_rows = static_cast<std::int64_t>(num_rows_);
  const std::int64_t at = static_cast<std::int64_t>(row) + piece.row;
  if (at < 0) return static_cast<std::uint32_t>(kFarthest + at);
  if (at >= num_rows) return static_cast<std::uint32_t>(kFarthest + at - num_rows + 1);
  return cells_[static_cast<std::size_t>(at) * columns_.size() +
                static_cast<std::size_t>(piece.column)];
}

TemplateExpander::Attributes TemplateExpander::expand(std::size_t row, Names& names) {
  assert(row < num_rows_);
  const std::size_t count = row == 0 ? num_node_lines_ : lines_.size();
  for (std::size_t k = 0; k < count; ++k) look(lines_[k], row);
  found_.clear();
  std::size_t num_nodes = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t number = find(lines_[k], row, names);
    if (number < kNoAttribute) found_.push_back(number);
    if (k < num_node_lines_) num_nodes = found_.size();
  }
  const std::span<const std::uint32_t> all(found_);
  return {all.first(num_nodes), all.subspan(num_nodes)};
}

/// Finds out which cells the line sees, and asks for the memory of what they are known to give.
void TemplateExpander::look(Line& line, std::size_t row) {
  const std::vector<Piece>& cells = line.cells;
  line.first = cells.empty() ? 0 : cell_at(row, cells[0]);
  if (cells.size() < 2) return;
  line.last = cell_at(row, cells.back());
  for (std::size_t k = 0; k < line.prefixes.size(); ++k) {
    PairNumbers& prefix = line.prefixes[k];
    const auto next = static_cast<std::uint32_t>(prefix.size());
    std::uint32_t& number = prefix(line.first, cell_at(row, cells[k + 1]));
    if (number == kNotSeen) number = next;
    line.first = number;
  }
  line.attributes.prefetch(line.first, line.last);
}

/// The number of the line's attribute; kNoAttribute or more if there is none.
std::uint32_t TemplateExpander::find(Line& line, std::size_t row, Names& names) {
  if (line.cells.size() > 1) {
    std::uint32_t& number = line.attributes(line.first, line.last);
    if (number == kNotSeen) number = ask(line, row, names);
    return number;
  }
  if (line.first >= line.by_cell.size()) line.by_cell.resize(line.first + 1, kNotSeen);
  std::uint32_t& number = line.by_cell[line.first];
  if (number == kNotSeen) number = ask(line, row, names);
  return number;
}

std::uint32_t TemplateExpander::ask(const Line& line, std::size_t row, Names& names) {
  name_.clear();
  for (const Piece& piece : line.pieces) {
    if (!append(piece, row, name_)) return kNoAttribute;
  }
  const std::uint32_t number = line.is_edge ? names.number_edge(name_) : names.number_node(name_);
  return std::min(number, kNoAttribute);
}

/// False if the token is too short for the affix that the piece asks for.
bool TemplateExpander::append(const Piece& piece, std::size_t row, std::string& out) const {
  if (piece.kind == Kind::kLiteral) {
    out.append(piece.literal);
    return true;
  }
  const std::uint32_t cell = cell_at(row, piece);
  if (cell < kFirstText) {
    fmt::format_to(std::back_inserter(out), "_B{:+}", static_cast<std::int64_t>(cell) - kFarthest);
    return true;
  }
  std::string_view text =
      columns_[static_cast<std::size_t>(piece.column)].texts.name(cell - kFirstText);
  const auto count = static_cast<std::size_t>(piece.count);
  if (piece.kind == Kind::kPrefix) text = first_characters(text, count);
  if (piece.kind == Kind::kSuffix) text = last_characters(text, count);
  out.append(text);
  return piece.kind == Kind::kCell || !text.empty();
}

}  // namespace gapwise::internal
