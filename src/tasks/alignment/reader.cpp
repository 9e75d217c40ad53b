#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "tasks/alignment/word_pairs.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kForm = "expected 'source ||| target ||| gold ||| name: links ...'";
constexpr std::string_view kBar = "|||";

/// The texts between bars that stand alone.
std::vector<std::string_view> split_bars(std::string_view line) {
  std::vector<std::string_view> words;
  split_blanks(line, words);
  std::vector<std::string_view> fields;
  const char* begin = line.data();
  for (const std::string_view word : words) {
    if (word != kBar) continue;
    fields.emplace_back(begin, static_cast<std::size_t>(word.data() - begin));
    begin = word.data() + word.size();
  }
  fields.emplace_back(begin, static_cast<std::size_t>(line.data() + line.size() - begin));
  return fields;
}

class AlignmentReader final : public WordPairReader {
 public:
  explicit AlignmentReader(const std::string& path) : lines_(path) {}

  bool read(WordPair& pair) override {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (trim_blanks(line).empty());
    const std::vector<std::string_view> fields = split_bars(line);
    if (fields.size() < 2) lines_.fail(fmt::format("no ||| in the line; {}", kForm));
    read_words(lines_, fields[0], pair.source);
    read_words(lines_, fields[1], pair.target);
    pair.gold.reset();
    if (fields.size() > 2 && trim_blanks(fields[2]) != "?") {
      pair.gold = read_links(lines_, fields[2], {}, pair);
    }
    read_given(fields, pair);
    return true;
  }
  const std::vector<std::string>& given_names() const override { return names_; }
  const LineReader& lines() const override { return lines_; }

 private:
  void read_given(const std::vector<std::string_view>& fields, WordPair& pair) {
    pair.given.clear();
    for (std::size_t k = 3; k < fields.size(); ++k) {
      const std::string_view text = trim_blanks(fields[k]);
      const std::size_t colon = text.find(':');
      const std::string_view rest = text.substr(std::min(colon, text.size()));
      if (colon == 0 || rest.empty() || (rest.size() > 1 && !is_blank(rest[1]))) {
        lines_.fail(
            fmt::format("'{}' has no name; expected the links of a given alignment as "
                        "'name: 1-1 2-3'",
                        text));
      }
      const std::string name(text.substr(0, colon));
      if (is_first_) {
        if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
          lines_.fail(fmt::format("alignment '{}' comes twice; leave one of the two out", name));
        }
        names_.push_back(name);
      }
      if (k - 3 >= names_.size() || names_[k - 3] != name) fail_names();
      pair.given.push_back(
          read_links(lines_, rest.substr(1), {.base = 1, .has_possible = false}, pair));
    }
    if (pair.given.size() != names_.size()) fail_names();
    is_first_ = false;
  }

  [[noreturn]] void fail_names() const {
    lines_.fail(
        fmt::format("other given alignments than in the lines before ({}); give every "
                    "pair the same ones in the same order",
                    names_.empty() ? "none" : fmt::format("{}", fmt::join(names_, ", "))));
  }

  LineReader lines_;
  std::vector<std::string> names_;
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<WordPairReader> make_alignment_reader(const std::string& path) {
  return std::make_unique<AlignmentReader>(path);
}

}  // namespace gapwise::internal
