#include "tasks/sequence/crfsuite.h"

#include <fmt/format.h>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kAllowed = "allowed=";
constexpr std::string_view kForm = "expected 'label<TAB>attribute[:value]<TAB>...'";

class CrfsuiteReader final : public SequenceReader {
 public:
  CrfsuiteReader(LineReader& lines, const ReadPlan& plan)
      : lines_(lines), needs_labels_(plan.needs_labels), has_dictionary_(plan.has_dictionary) {}

  bool read(SequenceBuilder& into) override;
  std::string expectation() const override { return fmt::format("{} on each line", kForm); }

 private:
  void read_token(std::string_view line, SequenceBuilder& into);
  std::int32_t read_label(std::string_view field, SequenceBuilder& into);
  void read_attribute(std::string_view field, SequenceBuilder& into);
  std::size_t unescape(std::string_view field, bool stops_at_colon);

  LineReader& lines_;
  bool needs_labels_;
  bool has_dictionary_;
  std::string name_;  ///< without escapes
};

bool CrfsuiteReader::read(SequenceBuilder& into) {
  bool has_tokens = false;
  std::string_view line;
  while (lines_.next(line)) {
    if (!trim_blanks(line).empty()) {
      read_token(line, into);
      has_tokens = true;
      continue;
    }
    into.echo_plain("");
    if (has_tokens) break;
  }
  if (has_tokens) into.end_sequence();
  return has_tokens;
}

void CrfsuiteReader::read_token(std::string_view line, SequenceBuilder& into) {
  std::size_t tab = line.find('\t');
  const std::int32_t label = read_label(line.substr(0, tab), into);
  while (tab != std::string_view::npos) {
    line.remove_prefix(tab + 1);
    tab = line.find('\t');
    const std::string_view field = line.substr(0, tab);
    if (!field.empty()) read_attribute(field, into);
  }
  into.check_allowed(label);
  into.end_token(label);
  into.echo_line("", "");
}

std::int32_t CrfsuiteReader::read_label(std::string_view field, SequenceBuilder& into) {
  unescape(field, false);
  if (!name_.empty()) return into.label(name_);
  if (needs_labels_) {
    lines_.fail(fmt::format("the line has no label before its first tab; {}", kForm));
  }
  return kNoLabel;
}

void CrfsuiteReader::read_attribute(std::string_view field, SequenceBuilder& into) {
  if (has_dictionary_ && field.starts_with(kAllowed)) {
    unescape(field.substr(kAllowed.size()), false);
    into.allow(name_);
    return;
  }
  const std::size_t colon = unescape(field, true);
  if (name_.empty()) {
    lines_.fail(fmt::format("'{}' has no name before the colon; {}", field, kForm));
  }
  double value = 1.0;
  if (colon < field.size()) {
    const std::string_view text = field.substr(colon + 1);
    if (const ValueText found = parse_value(text, value); found != ValueText::kGood) {
      refuse_value(lines_, found, text, fmt::format("attribute '{}'", name_),
                   "a colon that belongs to the name is written \\:");
    }
  }
  if (value != 0.0 && !into.take_piece(name_)) into.node(name_, value);
}

/// Puts the name into `name_`, with \: and \\ resolved, and returns where it ends.
std::size_t CrfsuiteReader::unescape(std::string_view field, bool stops_at_colon) {
  name_.clear();
  std::size_t at = 0;
  for (; at < field.size(); ++at) {
    if (stops_at_colon && field[at] == ':') break;
    const bool is_escape = field[at] == '\\' && at + 1 < field.size() &&
                           (field[at + 1] == ':' || field[at + 1] == '\\');
    if (is_escape) ++at;
    name_.push_back(field[at]);
  }
  return at;
}

}  // namespace

std::unique_ptr<SequenceReader> make_crfsuite_reader(LineReader& lines, const ReadPlan& plan) {
  return std::make_unique<CrfsuiteReader>(lines, plan);
}

bool looks_like_crfsuite(std::string_view line) {
  std::size_t num_fields = 0;
  std::size_t num_attributes = 0;
  std::size_t tab = line.find('\t');
  while (tab != std::string_view::npos) {
    line.remove_prefix(tab + 1);
    tab = line.find('\t');
    ++num_fields;
    if (line.substr(0, tab).find_first_of("=:") != std::string_view::npos) ++num_attributes;
  }
  return num_fields > 0 && 2 * num_attributes >= num_fields;
}

}  // namespace gapwise::internal
