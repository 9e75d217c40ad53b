#include "tasks/shared/keyword_lines.h"

#include <algorithm>

#include "io/fields.h"

namespace gapwise::internal {

std::vector<std::vector<std::string_view>> first_fields(std::string_view head, std::size_t count) {
  std::vector<std::vector<std::string_view>> lines;
  std::vector<std::string_view> fields;
  while (!head.empty() && lines.size() < count) {
    std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    split_blanks(line.substr(0, line.find('#')), fields);
    if (!fields.empty()) lines.push_back(fields);
  }
  return lines;
}

bool parse_shape(std::string_view text, Index longest, Index& width, Index& height) {
  const auto read_side = [longest](std::string_view side, Index& length) {
    return parse_index(side, length) && length >= 1 && length <= longest;
  };
  const std::size_t cross = text.find('x');
  return cross != std::string_view::npos && read_side(text.substr(0, cross), width) &&
         read_side(text.substr(cross + 1), height);
}

}  // namespace gapwise::internal
