#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/fields.h"
#include "tasks/alignment/word_pairs.h"

namespace gapwise::internal {
namespace {

/// A line of links for each pair.
class LineGoldReader final : public GoldReader {
 public:
  explicit LineGoldReader(LineReader lines) : lines_(std::move(lines)) {}

  Links read(const WordPair& pair) override {
    return read_links(lines_, next_pair_line(lines_), {}, pair);
  }
  void finish() override { expect_end(lines_); }

 private:
  LineReader lines_;
};

/// Lines `pair source target [S|P]`, all counted from 1, in any order: the form of the NAACL 2003
/// shared task. Sets made by hand have links twice; those count once, as sure if one of them is.
class KeyGoldReader final : public GoldReader {
 public:
  explicit KeyGoldReader(LineReader lines) : name_(lines.name()) {
    std::string_view line;
    while (lines.next(line)) {
      if (!trim_blanks(line).empty()) read_entry(lines, line);
    }
  }

  Links read(const WordPair& pair) override {
    ++pair_;
    Links links;
    for (const Entry& entry : entries_[pair_]) {
      const Link& link = entry.link;
      if (link.source >= std::ssize(pair.source) || link.target >= std::ssize(pair.target)) {
        fail(entry.line, fmt::format("the link of words {} and {} lies outside pair {} of {} and "
                                     "{} words; correct the link or the words",
                                     link.source + 1, link.target + 1, pair_, pair.source.size(),
                                     pair.target.size()));
      }
      const auto same = std::find_if(links.begin(), links.end(), [&](const Link& other) {
        return other.source == link.source && other.target == link.target;
      });
      if (same == links.end()) {
        links.push_back(link);
      } else {
        same->is_sure = same->is_sure || link.is_sure;
      }
    }
    return links;
  }

  void finish() override {
    const auto left = entries_.upper_bound(pair_);
    if (left == entries_.end()) return;
    fail(left->second.front().line,
         fmt::format("a link of pair {}, but there are only {} pairs; does the file belong to the "
                     "data?",
                     left->first, pair_));
  }

 private:
  struct Entry {
    Link link;
    Index line;
  };

  void read_entry(const LineReader& lines, std::string_view line) {
    split_blanks(line, fields_);
    Index pair = 0;
    Link link{0, 0, true};
    const bool has_kind = fields_.size() == 4 && (fields_[3] == "S" || fields_[3] == "P");
    if ((fields_.size() != 3 && !has_kind) || !parse_index(fields_[0], pair) ||
        !parse_index(fields_[1], link.source) || !parse_index(fields_[2], link.target) ||
        pair < 1 || link.source < 1 || link.target < 1) {
      lines.fail(
          fmt::format("'{}' is not a link; expected 'pair source target', all counted from "
                      "1, and perhaps S (sure) or P (possible)",
                      line));
    }
    link.is_sure = !has_kind || fields_[3] == "S";
    --link.source;
    --link.target;
    entries_[pair].push_back({link, lines.line_number()});
  }

  [[noreturn]] void fail(Index line, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name_, line, what));
  }

  std::string name_;
  std::map<Index, std::vector<Entry>> entries_;
  Index pair_ = 0;
  std::vector<std::string_view> fields_;
};

}  // namespace

std::unique_ptr<GoldReader> make_gold_reader(const std::string& path) {
  LineReader lines(path);
  std::string_view head = lines.head();
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  const bool is_key = head.find_first_not_of("0123456789") == head.find_first_of(" \t") &&
                      !head.empty() && head.front() >= '0' && head.front() <= '9';
  if (is_key) return std::make_unique<KeyGoldReader>(std::move(lines));
  return std::make_unique<LineGoldReader>(std::move(lines));
}

}  // namespace gapwise::internal
