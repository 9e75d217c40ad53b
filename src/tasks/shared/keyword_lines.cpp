#include "tasks/shared/keyword_lines.h"

#include "io/fields.h"
#include "tasks/shared/head_lines.h"

namespace gapwise::internal {

std::vector<std::vector<std::string_view>> first_fields(std::string_view head, std::size_t count) {
  std::vector<std::vector<std::string_view>> lines;
  std::vector<std::string_view> fields;
  for (const std::string_view line : head_lines(head)) {
    split_blanks(line.substr(0, line.find('#')), fields);
    if (!fields.empty() && lines.size() < count) lines.push_back(fields);
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
