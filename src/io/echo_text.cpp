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

}  // namespace gapwise::internal
