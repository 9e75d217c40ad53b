#include "tasks/sequence/conll.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "io/fields.h"
#include "io/utf8.h"

namespace gapwise::internal {
namespace {

class ConllReader final : public SequenceReader {
 public:
  ConllReader(LineReader& lines, const ReadPlan& plan)
      : lines_(lines),
        num_columns_(plan.num_columns),
        needs_labels_(plan.needs_labels),
        has_dictionary_(plan.has_dictionary),
        template_(plan.templates) {}

  bool read(SequenceBuilder& into) override;
  std::vector<std::string> template_lines() const override {
    return template_ ? template_->text() : std::vector<std::string>{};
  }
  int num_columns() const override { return num_columns_; }
  std::string expectation() const override {
    return "expected lines of columns (the token first, its label last) with a blank line after "
           "each sequence";
  }

 private:
  void read_line(std::string_view line, SequenceBuilder& into);
  void start();
  void check_width() const;
  void add_tokens(SequenceBuilder& into);
  void add_pieces(std::size_t row, SequenceBuilder& into);
  /// Columns for the template.
  int num_inputs() const { return num_columns_ - (has_dictionary_ ? 2 : 1); }

  LineReader& lines_;
  int num_columns_;  ///< label included; 0 until known
  bool needs_labels_;
  bool has_dictionary_;
  std::optional<Template> template_;
  std::optional<TemplateExpander> expander_;
  std::size_t width_ = 0;  ///< fields on each line of this file; 0 until known
  std::vector<std::string_view> fields_;
  ColumnTable table_;  ///< input columns of the sequence at hand
  std::vector<std::int32_t> labels_;
  std::vector<std::string> lists_;  ///< of labels that each token may have
  Expansion expansion_;
};

bool ConllReader::read(SequenceBuilder& into) {
  table_.clear();
  labels_.clear();
  lists_.clear();
  std::string_view line;
  while (lines_.next(line)) {
    if (!trim_blanks(line).empty()) {
      read_line(line, into);
      continue;
    }
    into.echo_plain("");
    if (table_.num_rows() > 0) break;
  }
  if (table_.num_rows() == 0) return false;
  add_tokens(into);
  return true;
}

void ConllReader::read_line(std::string_view line, SequenceBuilder& into) {
  split_blanks(line, fields_);
  if (width_ == 0) {
    start();
  } else {
    check_width();
  }
  const auto inputs = static_cast<std::size_t>(num_inputs());
  for (std::size_t k = 0; k < inputs; ++k) table_.add_cell(fields_[k]);
  table_.end_row();
  const bool has_label = width_ == static_cast<std::size_t>(num_columns_);
  labels_.push_back(has_label ? into.label(fields_.back()) : kNoLabel);
  if (has_dictionary_) {
    lists_.emplace_back(fields_[inputs]);
    into.allow(lists_.back());  // complains while the line is at hand
    into.check_allowed(labels_.back());
  }
  into.check_length(table_.num_rows());
  if (into.wants_echo()) {
    const bool has_tabs = line.find('\t') != std::string_view::npos;
    std::string text(line);
    text.push_back(has_tabs ? '\t' : ' ');
    into.echo_line(text, "");
  }
}

/// The first line says how many columns there are.
void ConllReader::start() {
  width_ = fields_.size();
  const auto width = static_cast<int>(std::min(width_, std::size_t{kMostColumns} + 1));
  if (width > kMostColumns) lines_.fail(fmt::format("more than {} columns", kMostColumns));
  if (num_columns_ == 0) {
    if (width < 2) {
      lines_.fail("1 column; expected at least a token and its label, separated by blanks");
    }
    num_columns_ = width;
    if (num_inputs() < 1) {
      lines_.fail(
          "2 columns; with \1dictionary there are a token, the labels it may have and its "
          "label at least");
    }
  } else if (width != num_columns_ && (needs_labels_ || width != num_columns_ - 1)) {
    lines_.fail(fmt::format(
        "{}, but the model was trained on {} (the label, which is the "
        "last, {})",
        counted(width_, "column"), num_columns_, needs_labels_ ? "included" : "may be left out"));
  }
  if (!template_) template_ = Template::standard(num_inputs());
  expander_.emplace(*template_, num_inputs());
}

void ConllReader::check_width() const {
  if (fields_.size() == width_) return;
  lines_.fail(fmt::format(
      "{}, but the lines before have {}; every line needs the same number (if the lines "
      "hold a label and attributes, pass \1format crfsuite)",
      counted(fields_.size(), "column"), width_));
}

void ConllReader::add_tokens(SequenceBuilder& into) {
  expander_->set_table(table_);
  for (std::size_t row = 0; row < table_.num_rows(); ++row) {
    expander_->expand(row, expansion_);
    std::size_t begin = 0;
    for (std::size_t k = 0; k < expansion_.ends.size(); ++k) {
      const std::string_view name =
          std::string_view(expansion_.text).substr(begin, expansion_.ends[k] - begin);
      begin = expansion_.ends[k];
      if (k < expansion_.num_nodes) {
        into.node(name);
      } else {
        into.edge(name);
      }
    }
    if (has_dictionary_) into.allow(lists_[row]);
    if (into.wants_pieces()) add_pieces(row, into);
    into.end_token(labels_[row]);
  }
  into.end_sequence();
}

/// Segments see the columns in front of the label, and the shape of the first one.
void ConllReader::add_pieces(std::size_t row, SequenceBuilder& into) {
  const auto inputs = static_cast<std::size_t>(num_inputs());
  for (std::size_t k = 0; k < inputs; ++k) {
    into.piece(k == 0 ? "w" : fmt::format("c{}", k), table_.cell(row * inputs + k));
  }
  std::string shape;
  append_shape(table_.cell(row * inputs), shape);
  into.piece("h", shape);
}

}  // namespace

std::unique_ptr<SequenceReader> make_conll_reader(LineReader& lines, const ReadPlan& plan) {
  return std::make_unique<ConllReader>(lines, plan);
}

}  // namespace gapwise::internal
