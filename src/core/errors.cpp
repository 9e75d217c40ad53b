#include "gapwise/errors.h"

#include <fmt/format.h>

#include <algorithm>

namespace gapwise {

namespace {

constexpr char kOptionMark = '\1';

/// Of a longer message only so much of its begin and of its end is kept.
constexpr std::size_t kLongest = 1000;
constexpr std::size_t kBegin = 600;
constexpr std::size_t kEnd = 300;

bool is_inside_character(char byte) {  // of UTF-8
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

std::string without_middle(std::string_view message) {
  if (message.size() <= kLongest) return std::string(message);
  std::size_t begin = kBegin;
  std::size_t end = message.size() - kEnd;
  while (begin > 0 && is_inside_character(message[begin])) --begin;
  while (end < message.size() && is_inside_character(message[end])) ++end;
  return fmt::format("{} [{} bytes left out] {}", message.substr(0, begin), end - begin,
                     message.substr(end));
}

/// Bytes of the character of UTF-8 that the text begins with; 0 if there is none, or if it is a
/// control character.
std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' ? 1 : 0;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (size > text.size() || first > 0xf4) return 0;
  for (std::size_t k = 1; k < size; ++k) {
    if (!is_inside_character(text[k])) return 0;
  }
  const bool is_control = first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
  return is_control ? 0 : size;
}

}  // namespace

std::string with_options(std::string_view text, std::string_view prefix) {
  std::string result;
  for (const char c : text) {
    if (c == kOptionMark) {
      result += prefix;
    } else {
      result += c;
    }
  }
  return result;
}

std::string readable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size > 0) {
      result += text.substr(0, size);
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    }
    text.remove_prefix(std::max<std::size_t>(1, size));
  }
  return result;
}

namespace {

std::string readable_but_marks(const std::string& message) {
  std::string result;
  for (std::size_t begin = 0; begin <= message.size();) {
    const std::size_t mark = std::min(message.find(kOptionMark, begin), message.size());
    result += readable(std::string_view(message).substr(begin, mark - begin));
    if (mark < message.size()) result += kOptionMark;
    begin = mark + 1;
  }
  return result;
}

}  // namespace

Error::Error(std::string_view message)
    : Error(std::make_shared<const std::string>(readable_but_marks(without_middle(message)))) {}

Error::Error(std::shared_ptr<const std::string> marked)
    : std::runtime_error(with_options(*marked, "")), marked_(std::move(marked)) {}

}  // namespace gapwise
