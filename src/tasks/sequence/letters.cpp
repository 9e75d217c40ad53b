#include "tasks/sequence/letters.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "io/folds.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kMostPixels = std::size_t{1} << 20;
constexpr std::string_view kForm = "expected 'word_id position fold letter bits'";

bool is_bits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("01") == std::string_view::npos;
}

class LettersReader final : public SequenceReader {
 public:
  LettersReader(LineReader& lines, const std::string& folds) : lines_(lines), folds_(folds) {}

  bool read(SequenceBuilder& into) override;
  std::string expectation() const override {
    if (num_words_ > 0) {
      return fmt::format("none of its {} words is in folds {}; it has folds {} to {}", num_words_,
                         folds_.text(), lowest_fold_, highest_fold_);
    }
    return fmt::format("{} on each line", kForm);
  }

 private:
  bool next_letter(SequenceBuilder& into);
  void parse_line(std::string_view line);
  void check_place();
  void add_letter(SequenceBuilder& into);
  void set_width(std::size_t width, SequenceBuilder& into);

  LineReader& lines_;
  Folds folds_;
  std::vector<std::uint32_t> pixels_;  ///< the numbers of their attributes, the constant last
  std::vector<std::uint32_t> on_;      ///< of the letter at hand
  std::vector<std::string_view> fields_;
  std::string text_;         ///< the line at hand, which `fields_` look into
  bool has_letter_ = false;  ///< a line is at hand and not yet used
  std::string word_;
  Index position_ = 0;
  Index fold_ = 0;
  Index num_words_ = 0;
  Index lowest_fold_ = 0;
  Index highest_fold_ = 0;
};

bool LettersReader::read(SequenceBuilder& into) {
  while (has_letter_ || next_letter(into)) {
    // The letter at hand is the first of a word.
    word_ = fields_[0];
    const bool is_wanted = folds_.contains(fold_);
    do {
      if (is_wanted) add_letter(into);
    } while (next_letter(into) && position_ > 1);
    if (is_wanted) {
      into.end_sequence();
      return true;
    }
  }
  return false;
}

/// Takes the next line that is not blank; false at the end.
bool LettersReader::next_letter(SequenceBuilder& into) {
  has_letter_ = false;
  std::string_view line;
  while (lines_.next(line)) {
    if (trim_blanks(line).empty()) {
      into.echo_plain("");
      continue;
    }
    parse_line(line);
    if (pixels_.empty()) set_width(fields_[4].size(), into);
    if (fields_[4].size() + 1 != pixels_.size()) {
      lines_.fail(
          fmt::format("{}, but the lines before have {}; all images must have the "
                      "same size",
                      counted(fields_[4].size(), "bit"), pixels_.size() - 1));
    }
    has_letter_ = true;
    return true;
  }
  return false;
}

void LettersReader::parse_line(std::string_view line) {
  text_ = line;
  split_blanks(text_, fields_);
  if (fields_.size() != 5)
    lines_.fail(fmt::format("{}; {}", counted(fields_.size(), "field"), kForm));
  if (!is_bits(fields_[4])) lines_.fail("the bits must be 0 and 1 only");
  check_place();
}

/// Position and fold follow from the line before.
void LettersReader::check_place() {
  const Index last_position = position_;
  const Index last_fold = fold_;
  if (!parse_index(fields_[1], position_)) {
    lines_.fail(fmt::format("position '{}' is not a whole number; {}", fields_[1], kForm));
  }
  if (!parse_index(fields_[2], fold_)) {
    lines_.fail(fmt::format("fold '{}' is not a whole number; {}", fields_[2], kForm));
  }
  const bool is_same_word = num_words_ > 0 && fields_[0] == word_;
  const Index expected = is_same_word ? last_position + 1 : 1;
  if (position_ != expected) {
    lines_.fail(
        fmt::format("position {} of word '{}', expected {}; the letters of a word must "
                    "follow each other and count from 1",
                    position_, fields_[0], expected));
  }
  if (is_same_word && fold_ != last_fold) {
    lines_.fail(fmt::format("word '{}' changes from fold {} to {}; a word lies in one fold",
                            fields_[0], last_fold, fold_));
  }
  if (is_same_word) return;
  lowest_fold_ = num_words_ == 0 ? fold_ : std::min(lowest_fold_, fold_);
  highest_fold_ = num_words_ == 0 ? fold_ : std::max(highest_fold_, fold_);
  ++num_words_;
}

/// All pixels get their numbers at once, in the order of the file, on or not.
void LettersReader::set_width(std::size_t width, SequenceBuilder& into) {
  if (width > kMostPixels) {
    lines_.fail(fmt::format("{} bits; an image may have at most {}", width, kMostPixels));
  }
  for (std::size_t k = 0; k < width; ++k) {
    pixels_.push_back(into.number_node(fmt::format("p{}", k)));
  }
  pixels_.push_back(into.number_node("bias"));
}

void LettersReader::add_letter(SequenceBuilder& into) {
  const std::string_view bits = fields_[4];
  on_.clear();
  const auto add = [this](std::uint32_t number) {
    if (number != Alphabet::kUnknown) on_.push_back(number);
  };
  for (std::size_t k = 0; k < bits.size(); ++k) {
    if (bits[k] == '1') add(pixels_[k]);
  }
  add(pixels_.back());
  into.add_nodes(on_);
  into.end_token(into.label(fields_[3]));
  if (into.wants_echo()) {
    const std::string_view text = text_;
    const auto begin = static_cast<std::size_t>(fields_[3].data() - text.data());
    into.echo_line(text.substr(0, begin), text.substr(begin + fields_[3].size()));
  }
}

}  // namespace

std::unique_ptr<SequenceReader> make_letters_reader(LineReader& lines, const std::string& folds) {
  return std::make_unique<LettersReader>(lines, folds);
}

bool looks_like_letters(std::string_view line) {
  std::vector<std::string_view> fields;
  split_blanks(line, fields);
  Index number = 0;
  return fields.size() == 5 && parse_index(fields[0], number) && parse_index(fields[1], number) &&
         parse_index(fields[2], number) && is_bits(fields[4]);
}

}  // namespace gapwise::internal
