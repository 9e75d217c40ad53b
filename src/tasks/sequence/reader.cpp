#include "tasks/sequence/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "io/folds.h"
#include "tasks/sequence/conll.h"
#include "tasks/sequence/crfsuite.h"
#include "tasks/sequence/letters.h"

namespace gapwise::internal {

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
    refuse_folds(plan.folds, "format " + plan.format);
  }
  if (plan.format == "letters") return make_letters_reader(lines, plan.folds);
  if (plan.format == "crfsuite") return make_crfsuite_reader(lines, plan.needs_labels);
  return make_conll_reader(lines, plan);
}

}  // namespace gapwise::internal
