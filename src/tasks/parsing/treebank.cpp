#include "tasks/parsing/treebank.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "io/fields.h"
#include "io/folds.h"
#include "io/utf8.h"
#include "tasks/shared/head_lines.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kMissing = "_";
constexpr std::string_view kConllForm =
    "expected the columns ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC, separated by tabs";
constexpr std::string_view kMalttabForm =
    "expected the columns word, tag, head and perhaps label, separated by tabs";
/// As many characters of a word stand in for its lemma.
constexpr std::size_t kStemLength = 5;

bool is_comment(std::string_view line) {
  return line.starts_with('#') && line.find('\t') == std::string_view::npos;
}

void split_tabs(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  while (true) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return;
    line.remove_prefix(tab + 1);
  }
}

bool is_whole_number(std::string_view text, Index& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// "1, 2 and 5"; of many the first few.
std::string list_words(const std::vector<std::size_t>& words) {
  constexpr std::size_t kMost = 6;
  if (words.size() > kMost) {
    return fmt::format("{}, ... ({} in all)", fmt::join(words.begin(), words.begin() + kMost, ", "),
                       words.size());
  }
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

/// The words of some cycle.
std::vector<std::size_t> find_cycle(std::span<const std::int32_t> heads) {
  for (std::size_t start = 1; start <= heads.size(); ++start) {
    std::vector<std::size_t> cycle;
    std::size_t v = start;
    do {
      cycle.push_back(v);
      v = static_cast<std::size_t>(heads[v - 1]);
    } while (v != 0 && v != start && cycle.size() < heads.size());
    if (v == start) return cycle;
  }
  return {};
}

/// Tells from its first lines whether a file holds trees.
class HeadOfTreebank {
 public:
  /// False if the line, which is no comment, is none of a treebank.
  bool add(std::string_view line) {
    if (trim_blanks(line).empty()) return end_sentence();
    split_tabs(line, fields_);
    if (std::find(fields_.begin(), fields_.end(), "") != fields_.end()) return false;
    if (num_columns_ == 0) num_columns_ = fields_.size();
    if (fields_.size() != num_columns_) return false;
    if (num_columns_ == 8 || num_columns_ == 10) return add_numbered();
    return (num_columns_ == 3 || num_columns_ == 4) && add_head(fields_[2]);
  }
  /// Words that are not numbered must have been seen to be trees.
  bool has_sentences() const {
    return num_columns_ >= 8 ? words_ > 0 || has_sentences_ : has_sentences_;
  }

 private:
  bool add_numbered() {
    const std::string_view id = fields_[0];
    Index number = 0;
    if (!is_whole_number(id, number)) {  // a token of several words, or an empty node
      const std::size_t mark = id.find_first_of("-.");
      return mark != std::string_view::npos && is_whole_number(id.substr(0, mark), number);
    }
    return number == ++words_ && (fields_[6] == kMissing || is_whole_number(fields_[6], number));
  }
  bool add_head(std::string_view text) {
    Index head = 0;
    ++words_;
    if (!is_whole_number(text, head) || head < 0 || head > Index{kLongestSentence}) return false;
    heads_.push_back(static_cast<std::int32_t>(head));
    return true;
  }
  bool end_sentence() {
    const bool is_good =
        heads_.empty() || (std::ranges::max(heads_) <= std::ssize(heads_) && is_tree(heads_));
    has_sentences_ = has_sentences_ || words_ > 1;
    words_ = 0;
    heads_.clear();
    return is_good;
  }

  std::size_t num_columns_ = 0;
  std::vector<std::string_view> fields_;
  Index words_ = 0;                  ///< of the sentence at hand
  std::vector<std::int32_t> heads_;  ///< of its words, if they are not numbered
  bool has_sentences_ = false;       ///< of several words
};

}  // namespace

std::vector<std::string_view> treebank_formats() {
  return {"conllu", "conllx", "malttab"};
}

std::string_view detect_treebank_format(std::string_view head) {
  std::vector<std::string_view> fields;
  while (!head.empty()) {
    const std::size_t newline = head.find('\n');
    const std::string_view line = head.substr(0, newline);
    if (!is_comment(line) && !trim_blanks(line).empty() && line != "\r") {
      split_tabs(line, fields);
      return fields.size() <= 4 ? "malttab" : "conllu";
    }
    head.remove_prefix(newline == std::string_view::npos ? head.size() : newline + 1);
  }
  return "conllu";
}

bool looks_like_treebank(std::string_view head) {
  HeadOfTreebank treebank;
  for (const std::string_view line : head_lines(head)) {
    if (!is_comment(line) && !treebank.add(line)) return false;
  }
  return treebank.has_sentences();
}

std::uint64_t hash_text(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

void check_treebank_folds(const std::string& folds) {
  if (!folds.empty()) refuse_folds("a treebank");
}

void check_treebank_size(const Treebank& bank, std::size_t num_labels, const LineReader& lines) {
  for (Index i = 0; i < bank.data.size(); ++i) {
    const Index words = bank.data.length(i);
    if (words * words * static_cast<Index>(num_labels) <= kMostParsingParts) continue;
    lines.fail_at(bank.lines[static_cast<std::size_t>(i)],
                  fmt::format("a sentence of {} words and {} labels, which makes more than {} "
                              "labelled arcs; split it, or train with \1labelled no",
                              words, num_labels, kMostParsingParts));
  }
}

TreebankReader::TreebankReader(LineReader& lines, const TreebankPlan& plan, Alphabet labels)
    : lines_(lines), plan_(plan), num_known_(labels.size()), labels_(std::move(labels)) {
  const std::vector<std::string_view> formats = treebank_formats();
  if (std::find(formats.begin(), formats.end(), plan.format) == formats.end()) {
    throw OptionError(
        fmt::format("format '{}' is not one of {}", plan.format, fmt::join(formats, ", ")));
  }
}

bool TreebankReader::read() {
  word_lines_.clear();
  std::string_view line;
  while (lines_.next(line)) {
    if (trim_blanks(line).empty()) {
      if (plan_.wants_echo) bank_.echo.add_plain("");
      if (word_lines_.empty()) continue;
      end_sentence();
      return true;
    }
    Cells cells;
    if (split(line, cells) == LineKind::kWord) {
      add_word(cells);
      if (plan_.wants_echo) echo_word(line);
    } else if (plan_.wants_echo) {
      bank_.echo.add_plain(line);
    }
  }
  if (word_lines_.empty()) return false;
  end_sentence();
  return true;
}

void TreebankReader::fail_empty() const {
  throw InputError(fmt::format("{}: {}; {}, and a blank line after each sentence", lines_.name(),
                               lines_.line_number() == 0 ? "is empty" : "holds no sentences",
                               plan_.format == "malttab" ? kMalttabForm : kConllForm));
}

Treebank TreebankReader::take() {
  return std::exchange(bank_, {});
}

TreebankReader::LineKind TreebankReader::split(std::string_view line, Cells& cells) {
  if (plan_.format != "conllx" && is_comment(line)) return LineKind::kEcho;
  split_tabs(line, fields_);
  const LineKind kind =
      plan_.format == "malttab" ? split_malttab(line, cells) : split_conll(line, cells);
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    if (fields_[k].empty()) {
      lines_.fail(fmt::format("column {} is empty; write _ for what is missing", k + 1));
    }
  }
  return kind;
}

/// CoNLL-U, and CoNLL-X, which has the same columns but for the last two.
TreebankReader::LineKind TreebankReader::split_conll(std::string_view line, Cells& cells) {
  const bool is_universal = plan_.format == "conllu";
  if (fields_.size() != 10 && (is_universal || fields_.size() != 8)) {
    lines_.fail(fmt::format(
        "{}, not {}; {}", counted(fields_.size(), "column"), is_universal ? "10" : "10 or 8",
        is_comment(line) ? "format conllx has no comments: pass \1format conllu" : kConllForm));
  }
  const std::string_view id = fields_[0];
  if (is_universal && id.find_first_of("-.") != std::string_view::npos) {
    return LineKind::kEcho;  // a token of several words, or an empty node
  }
  const std::size_t expected = word_lines_.size() + 1;
  Index number = 0;
  if (!is_whole_number(id, number) || number != static_cast<Index>(expected)) {
    lines_.fail(fmt::format(
        "word number '{}', expected {}; words count 1, 2, ... and a blank line ends a sentence", id,
        expected));
  }
  cells = {fields_[1], fields_[2], fields_[4], fields_[3], fields_[6], fields_[7]};
  return LineKind::kWord;
}

TreebankReader::LineKind TreebankReader::split_malttab(std::string_view, Cells& cells) {
  const std::size_t fewest = plan_.needs_trees ? 3 : 2;
  if (fields_.size() < fewest || fields_.size() > 4) {
    lines_.fail(fmt::format("{}; {}", counted(fields_.size(), "column"), kMalttabForm));
  }
  cells = {fields_[0], kMissing, fields_[1], kMissing, kMissing, kMissing};
  if (fields_.size() > 2) cells.head = fields_[2];
  if (fields_.size() > 3) cells.label = fields_[3];
  return LineKind::kWord;
}

void TreebankReader::add_word(const Cells& cells) {
  ParsingWord word;
  word.form = hash_text(cells.form);
  if (cells.lemma != kMissing) {
    word.lemma = hash_text(cells.lemma);
  } else {
    scratch_.clear();
    append_lower(cells.form, scratch_);
    const std::string_view stem = first_characters(scratch_, kStemLength);
    word.lemma = hash_text(stem.data() == nullptr ? std::string_view(scratch_) : stem);
  }
  const bool has_both = cells.tag != kMissing && cells.coarse_tag != kMissing;
  const std::string_view tag = cells.tag != kMissing ? cells.tag : cells.coarse_tag;
  word.tag = hash_text(tag);
  if (has_both) word.coarse_tag = hash_text(cells.coarse_tag);
  bank_.tags.push_back(tags_.add(tag));
  word_lines_.push_back(lines_.line_number());
  if (word_lines_.size() > kLongestSentence) {
    lines_.fail(fmt::format(
        "the sentence has more than {} words; is a blank line missing between sentences?",
        kLongestSentence));
  }
  bank_.data.words.push_back(word);
  bank_.data.heads.push_back(plan_.needs_trees ? read_head(cells.head) : -1);
  bank_.data.labels.push_back(plan_.needs_trees ? read_label(cells.label) : kNoLabel);
}

std::int32_t TreebankReader::read_head(std::string_view text) const {
  Index head = 0;
  if (!is_whole_number(text, head) || head < 0) {
    lines_.fail(
        fmt::format("head '{}' is not the number of a word, or 0 for the root; give every "
                    "word a head",
                    text));
  }
  return static_cast<std::int32_t>(std::min(head, static_cast<Index>(kLongestSentence) + 1));
}

std::int32_t TreebankReader::read_label(std::string_view text) {
  const std::uint32_t label = labels_.add(plan_.has_labels ? text : kMissing);
  if (labels_.size() > kMostLabels + num_known_) {
    lines_.fail(too_many_labels(text));
  }
  return static_cast<std::int32_t>(label);
}

void TreebankReader::echo_word(std::string_view line) {
  const bool is_malttab = plan_.format == "malttab";
  const std::size_t head_column = is_malttab ? 2 : 6;
  const std::size_t end = std::min(fields_.size(), head_column + 2);
  const char* const begin = line.data();
  std::string before(line);
  if (fields_.size() > head_column) {
    before.resize(static_cast<std::size_t>(fields_[head_column].data() - begin));
  } else {
    before.push_back('\t');
  }
  std::string after;
  for (std::size_t k = end; k < fields_.size(); ++k) {
    // Enhanced dependencies would contradict the new tree.
    const bool is_stale = plan_.format == "conllu" && k == 8;
    after.append("\t").append(is_stale ? kMissing : fields_[k]);
  }
  bank_.echo.add_line(before, after);
}

void TreebankReader::end_sentence() {
  ParsingData& data = bank_.data;
  data.starts.push_back(data.words.size());
  bank_.lines.push_back(word_lines_.front());
  if (plan_.needs_trees) check_tree(data.of(data.size() - 1, data.heads));
}

void TreebankReader::check_tree(std::span<const std::int32_t> heads) const {
  std::vector<std::size_t> roots;
  for (std::size_t k = 0; k < heads.size(); ++k) {
    if (heads[k] == 0) roots.push_back(k + 1);
    if (heads[k] > static_cast<std::int32_t>(heads.size())) {
      lines_.fail_at(word_lines_[k],
                     fmt::format("the head of word {} lies outside its sentence of {}; heads are "
                                 "positions in the sentence from 1, 0 for the root",
                                 k + 1, counted(heads.size(), "word")));
    }
  }
  if (!is_tree(heads)) {
    const std::vector<std::size_t> cycle = find_cycle(heads);
    const std::size_t first = cycle.front();
    lines_.fail_at(word_lines_[first - 1],
                   cycle.size() == 1
                       ? fmt::format("word {} is its own head; give it another one, or 0", first)
                       : fmt::format("the heads of words {} form a cycle, expected a tree; mend it "
                                     "or leave the sentence out",
                                     list_words(cycle)));
  }
  if (plan_.roots == RootCount::kOne && roots.size() > 1) {
    lines_.fail_at(word_lines_[roots[1] - 1],
                   fmt::format("words {} have head 0, expected one; mend the tree, or train with "
                               "\1roots many",
                               list_words(roots)));
  }
}

}  // namespace gapwise::internal
