#include "tasks/alignment/word_pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

/// Splits "3-4", "3p4" or "3?4" at its middle.
std::size_t middle_of(const LineReader& lines, std::string_view field, const LinkForm& form) {
  const std::size_t middle = field.find_first_not_of("0123456789");
  const bool is_link = middle != std::string_view::npos && middle > 0 && middle + 1 < field.size();
  if (is_link && (field[middle] == '-' ||
                  (form.has_possible && (field[middle] == 'p' || field[middle] == '?')))) {
    return middle;
  }
  lines.fail(fmt::format("'{}' is not a link; expected links such as {}, counted from {}", field,
                         form.has_possible ? "1-2 (sure) or 1p2 (possible)" : "1-2", form.base));
}

Index read_position(const LineReader& lines, std::string_view text, std::string_view field,
                    Index base, std::size_t words) {
  Index position = 0;
  if (!parse_index(text, position) || position < base ||
      position >= base + static_cast<Index>(words)) {
    lines.fail(
        fmt::format("link '{}' lies outside the pair: position {} of a side of {}, counted "
                    "from {}; correct the link or the words",
                    field, text, counted(words, "word"), base));
  }
  return position - base;
}

}  // namespace

void read_words(const LineReader& lines, std::string_view text, std::vector<std::string>& words) {
  std::vector<std::string_view> fields;
  split_blanks(text, fields);
  if (fields.empty()) {
    lines.fail("a side has no words; expected 'source ||| target' with words on both sides");
  }
  if (fields.size() > kMostWords) {
    lines.fail(fmt::format("a side of {} words; at most {} are allowed, split the sentence",
                           fields.size(), kMostWords));
  }
  words.assign(fields.begin(), fields.end());
}

bool read_sides(LineReader& source, std::optional<LineReader>& target, WordPair& pair) {
  std::string_view line;
  if (!source.next(line)) return false;
  if (target) {
    read_words(source, line, pair.source);
    read_words(*target, next_pair_line(*target), pair.target);
    return true;
  }
  const std::size_t bar = line.find("|||");
  if (bar == std::string_view::npos) {
    source.fail(
        "no ||| in the line; expected 'source ||| target', or a file of its own for the target "
        "side");
  }
  read_words(source, line.substr(0, bar), pair.source);
  read_words(source, line.substr(bar + 3), pair.target);
  return true;
}

Links read_links(const LineReader& lines, std::string_view text, const LinkForm& form,
                 const WordPair& pair) {
  std::vector<std::string_view> fields;
  split_blanks(text, fields);
  Links links;
  const std::size_t first_words = form.is_swapped ? pair.target.size() : pair.source.size();
  const std::size_t second_words = form.is_swapped ? pair.source.size() : pair.target.size();
  for (const std::string_view field : fields) {
    const std::size_t middle = middle_of(lines, field, form);
    Link link{read_position(lines, field.substr(0, middle), field, form.base, first_words),
              read_position(lines, field.substr(middle + 1), field, form.base, second_words),
              field[middle] == '-'};
    if (form.is_swapped) std::swap(link.source, link.target);
    links.push_back(link);
  }
  const auto key = [](const Link& link) { return std::pair(link.source, link.target); };
  std::sort(links.begin(), links.end(),
            [&](const Link& a, const Link& b) { return key(a) < key(b); });
  const auto twice = std::adjacent_find(
      links.begin(), links.end(), [&](const Link& a, const Link& b) { return key(a) == key(b); });
  if (twice != links.end()) {
    lines.fail(fmt::format("the link of words {} and {} comes twice; leave one of the two out",
                           twice->source + form.base, twice->target + form.base));
  }
  return links;
}

std::string_view next_pair_line(LineReader& lines) {
  std::string_view line;
  if (!lines.next(line)) {
    throw InputError(
        fmt::format("{}: ends after {}, but there are more pairs; give it a line for each pair",
                    lines.name(), counted(static_cast<std::size_t>(lines.line_number()), "line")));
  }
  return line;
}

void expect_end(LineReader& lines) {
  std::string_view line;
  while (lines.next(line)) {
    if (trim_blanks(line).empty()) continue;
    lines.fail("there is no pair for this line; give the file as many lines as there are pairs");
  }
}

}  // namespace gapwise::internal
