#include "tasks/shared/svmlight_head.h"

#include <algorithm>
#include <vector>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

bool is_feature(std::string_view field) {
  const std::size_t colon = std::min(field.find(':'), field.size());
  Index index = 0;
  double value = 0.0;
  return colon < field.size() && parse_index(field.substr(0, colon), index) && index > 0 &&
         parse_value(field.substr(colon + 1), value) == ValueText::kGood;
}

}  // namespace

SvmlightLabels labels_of_svmlight(std::string_view head) {
  const std::size_t last_end = head.rfind('\n');
  if (last_end != std::string_view::npos) head = head.substr(0, last_end);
  bool has_features = false;
  bool has_lists = false;
  bool has_bare_lines = false;
  std::vector<std::string_view> fields;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    split_blanks(line.substr(0, line.find('#')), fields);
    if (fields.empty()) continue;
    const bool has_label = fields[0].find(':') == std::string_view::npos;
    if (!std::all_of(fields.begin() + (has_label ? 1 : 0), fields.end(), is_feature)) {
      return SvmlightLabels::kNotSvmlight;
    }
    has_features = has_features || fields.size() > 1 || !has_label;
    has_bare_lines = has_bare_lines || !has_label;
    has_lists = has_lists || (has_label && fields[0].find(',') != std::string_view::npos);
  }
  if (!has_features) return SvmlightLabels::kNotSvmlight;
  if (has_lists) return SvmlightLabels::kLists;
  return has_bare_lines ? SvmlightLabels::kUnclear : SvmlightLabels::kOneEach;
}

}  // namespace gapwise::internal
