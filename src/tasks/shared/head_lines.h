#pragma once

#include <string_view>
#include <vector>

namespace gapwise::internal {

/// The first lines of the text at the start of a file, at most `most`, without their ends: what a
/// format is told by. A last line that may be cut off is left out, unless it is the only one.
inline std::vector<std::string_view> head_lines(std::string_view head, std::size_t most = 200) {
  std::vector<std::string_view> lines;
  while (!head.empty() && lines.size() < most) {
    const std::size_t newline = head.find('\n');
    if (newline == std::string_view::npos && !lines.empty()) break;
    std::string_view line = head.substr(0, newline);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    head.remove_prefix(newline == std::string_view::npos ? head.size() : newline + 1);
  }
  return lines;
}

}  // namespace gapwise::internal
