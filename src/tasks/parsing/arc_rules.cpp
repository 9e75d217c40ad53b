#include "tasks/parsing/arc_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "io/lines.h"
#include "tasks/parsing/problem.h"
#include "tasks/parsing/tag_features.h"
#include "tasks/parsing/treebank.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kRoot = "<root>";
constexpr std::string_view kAny = "*";
constexpr std::string_view kForms =
    "expected 'forbid HEAD WORD' or 'forbid HEAD WORD LABEL', with tags of head and word, <root> "
    "for "
    "the root and * for any";

bool has_tag(std::uint64_t tag, const ParsingWord& word) {
  return tag == 0 || tag == word.tag || tag == word.coarse_tag;
}

}  // namespace

ArcRules ArcRules::read(const std::string& path, const Alphabet& labels) {
  LineReader lines(path);
  ArcRules result;
  std::vector<std::string_view> fields;
  std::string_view line;
  while (lines.next(line)) {
    split_blanks(line, fields);
    if (fields.empty() || fields.front().front() == '#') continue;
    result.add(fields, labels, [&](const std::string& what) { lines.fail(what); });
  }
  if (result.rules_.empty()) {
    throw InputError(fmt::format("{}: has no rule; {}", lines.name(), kForms));
  }
  return result;
}

ArcRules ArcRules::parse(const std::vector<std::string>& lines, const Alphabet& labels,
                         const std::function<void(const std::string&)>& fail) {
  ArcRules result;
  std::vector<std::string_view> fields;
  for (const std::string& line : lines) {
    split_blanks(line, fields);
    result.add(fields, labels, fail);
  }
  return result;
}

void ArcRules::add(std::span<const std::string_view> fields, const Alphabet& labels,
                   const std::function<void(const std::string&)>& fail) {
  const bool has_form =
      (fields.size() == 3 || fields.size() == 4) && fields[0] == "forbid" && fields[2] != kRoot;
  if (!has_form) fail(fmt::format("found '{}'; {}", fmt::join(fields, " "), kForms));
  Rule rule;
  if (fields[1] != kAny) rule.head = fields[1] == kRoot ? kRootTag : hash_text(fields[1]);
  if (fields[2] != kAny) rule.word = hash_text(fields[2]);
  if (fields.size() == 4 && fields[3] != kAny) {
    const std::uint32_t label = labels.find(fields[3]);
    if (label == Alphabet::kUnknown) {
      fail(fmt::format("there is no label '{}' in the training data; leave the line out",
                       fields[3]));
    }
    rule.label = static_cast<std::int32_t>(label);
  }
  if (rule.head == 0 && rule.word == 0 && rule.label < 0) {
    fail("this forbids every arc; give a tag or a label");
  }
  rules_.push_back(rule);
  lines_.push_back(fmt::format("{}", fmt::join(fields, " ")));
}

bool ArcRules::allow(std::span<const ParsingWord> words, int h, int m, std::int32_t label) const {
  const ParsingWord root{0, 0, kRootTag, 0};
  const ParsingWord& head = h == 0 ? root : words[static_cast<std::size_t>(h) - 1];
  const ParsingWord& word = words[static_cast<std::size_t>(m) - 1];
  return std::ranges::none_of(rules_, [&](const Rule& rule) {
    return (rule.label < 0 || rule.label == label) && has_tag(rule.head, head) &&
           has_tag(rule.word, word);
  });
}

int ArcRules::first_break(std::span<const ParsingWord> words, std::span<const std::int32_t> heads,
                          std::span<const std::int32_t> labels) const {
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const int m = static_cast<int>(k) + 1;
    if (!allow(words, heads[k], m, labels[k])) return m;
  }
  return 0;
}

}  // namespace gapwise::internal
