#include "io/echo_text.h"

namespace gapwise::internal {

void EchoText::add_line(std::string_view before, std::string_view after) {
  text_.append(before);
  const std::size_t place_at = text_.size();
  text_.append(after);
  lines_.push_back({place_at, text_.size(), true});
}

void EchoText::add_plain(std::string_view line) {
  text_.append(line);
  lines_.push_back({0, text_.size(), false});
}

std::vector<std::size_t> EchoText::lines_with_place() const {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    if (lines_[k].has_place) found.push_back(k);
  }
  return found;
}

void EchoText::write_line(std::size_t line, std::string_view text, std::string& out) const {
  const std::size_t begin = line == 0 ? 0 : lines_[line - 1].end;
  const std::size_t place = lines_[line].place_at;
  out.append(text_, begin, place - begin).append(text);
  out.append(text_, place, lines_[line].end - place).push_back('\n');
}

}  // namespace gapwise::internal
