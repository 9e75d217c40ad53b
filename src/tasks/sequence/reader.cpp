#include "tasks/sequence/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "io/folds.h"
#include "tasks/sequence/conll.h"
#include "tasks/sequence/crfsuite.h"
#include "tasks/sequence/letters.h"
#include "tasks/shared/head_lines.h"

namespace gapwise::internal {
namespace {

bool is_index(std::string_view text) {
  Index number = 0;
  return parse_index(text, number);
}

/// Attributes of format crfsuite, not the numbered features of a classifier.
bool has_named_attributes(std::string_view line) {
  if (!looks_like_crfsuite(line)) return false;
  for (std::size_t tab = line.find('\t'); tab != std::string_view::npos; tab = line.find('\t')) {
    line.remove_prefix(tab + 1);
    if (!is_index(line.substr(0, line.find_first_of("\t:")))) return true;
  }
  return false;
}

/// "B-NP", "O", "NOUN" and marks, which stand for themselves.
bool looks_like_label(std::string_view text) {
  const bool is_chunk = text.size() > 2 && text[1] == '-' &&
                        std::string_view("BIESLU").find(text[0]) != std::string_view::npos;
  return is_chunk || std::ranges::none_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
         });
}

/// Whether the lines have the columns of format conll and those of no other: as many in each, none
/// of them of numbers only, labels in the last.
bool are_columns(const std::vector<std::string_view>& lines) {
  std::vector<std::string_view> fields;
  std::vector<bool> has_words;
  bool has_capitals = false;
  for (const std::string_view line : lines) {
    split_blanks(line, fields);
    if (has_words.empty()) has_words.resize(fields.size(), false);
    if (fields.size() < 2 || fields.size() != has_words.size()) return false;
    if (!looks_like_label(fields.back())) return false;
    has_capitals = has_capitals || (fields.back()[0] >= 'A' && fields.back()[0] <= 'Z');
    for (std::size_t k = 0; k < fields.size(); ++k) {
      has_words[k] = has_words[k] || !is_index(fields[k]);
    }
  }
  return has_capitals && std::ranges::find(has_words, false) == has_words.end();
}

}  // namespace

std::vector<std::string_view> sequence_formats() {
  return {"conll", "letters", "crfsuite"};
}

std::string_view detect_sequence_format(std::string_view head) {
  while (!head.empty()) {
    const std::size_t newline = head.find('\n');
    std::string_view line = head.substr(0, newline);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!trim_blanks(line).empty()) {
      if (looks_like_letters(line)) return "letters";
      return looks_like_crfsuite(line) ? "crfsuite" : "conll";
    }
    head.remove_prefix(newline == std::string_view::npos ? head.size() : newline + 1);
  }
  return "conll";
}

bool looks_like_sequences(std::string_view head) {
  std::vector<std::string_view> lines;
  bool has_end = false;
  for (const std::string_view line : head_lines(head)) {
    const bool is_blank_line = trim_blanks(line).empty();
    if (!is_blank_line) lines.push_back(line);
    has_end = has_end || (is_blank_line && !lines.empty());
  }
  if (lines.empty()) return false;
  return std::ranges::all_of(lines, looks_like_letters) ||
         std::ranges::all_of(lines, has_named_attributes) || (has_end && are_columns(lines));
}

void fail_without_sequences(const LineReader& lines, const SequenceReader& reader) {
  throw InputError(fmt::format("{}: {}; {}", lines.name(),
                               lines.line_number() == 0 ? "is empty" : "holds no sequences to use",
                               reader.expectation()));
}

std::unique_ptr<SequenceReader> make_sequence_reader(LineReader& lines, const ReadPlan& plan) {
  const std::vector<std::string_view> formats = sequence_formats();
  if (std::find(formats.begin(), formats.end(), plan.format) == formats.end()) {
    throw OptionError(
        fmt::format("format '{}' is not one of {}", plan.format, fmt::join(formats, ", ")));
  }
  if (plan.format != "letters" && !plan.folds.empty()) {
    refuse_folds("format " + plan.format);
  }
  if (plan.format == "letters" && plan.has_dictionary) {
    throw OptionError("format letters has no place for a dictionary; leave out \1dictionary");
  }
  if (plan.format == "letters") return make_letters_reader(lines, plan.folds);
  if (plan.format == "crfsuite") return make_crfsuite_reader(lines, plan);
  return make_conll_reader(lines, plan);
}

}  // namespace gapwise::internal
