#include "gapwise/core/errors.h"

#include <fmt/format.h>

namespace gapwise {
namespace {

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

std::string readable(std::string_view message) {
  std::string text;
  for (const char byte : without_middle(message)) {
    const auto code = static_cast<unsigned char>(byte);
    const bool is_control = (code < 0x20 && byte != '\n') || code == 0x7f;
    text += is_control ? fmt::format("\\x{:02x}", code) : std::string(1, byte);
  }
  return text;
}

}  // namespace

Error::Error(std::string_view message) : std::runtime_error(readable(message)) {}

}  // namespace gapwise
