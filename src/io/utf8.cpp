#include "io/utf8.h"

#include <cstdint>

namespace gapwise::internal {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

struct Range {
  std::uint32_t first;
  std::uint32_t last;
  std::int32_t to_lower;
};

/// Capitals that lie a fixed distance from their small letters.
constexpr Range kShifted[] = {
    {'A', 'Z', 32},     {0xc0, 0xd6, 32},   {0xd8, 0xde, 32},   {0x178, 0x178, -121},
    {0x386, 0x386, 38}, {0x388, 0x38a, 37}, {0x38c, 0x38c, 64}, {0x38e, 0x38f, 63},
    {0x391, 0x3a1, 32}, {0x3a3, 0x3ab, 32}, {0x400, 0x40f, 80}, {0x410, 0x42f, 32},
    {0x531, 0x556, 48},
};
/// Capitals and small letters in turn, the capital first.
constexpr Range kPaired[] = {
    {0x100, 0x12f, 1},   {0x132, 0x137, 1},   {0x139, 0x148, 1}, {0x14a, 0x177, 1},
    {0x179, 0x17e, 1},   {0x460, 0x481, 1},   {0x48a, 0x4bf, 1}, {0x4d0, 0x52f, 1},
    {0x1e00, 0x1e95, 1}, {0x1ea0, 0x1eff, 1},
};

std::uint32_t lower(std::uint32_t c) {
  for (const Range& range : kShifted) {
    if (c >= range.first && c <= range.last) {
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(c) + range.to_lower);
    }
  }
  for (const Range& range : kPaired) {
    if (c >= range.first && c <= range.last) return c + ((c - range.first) % 2 == 0 ? 1 : 0);
  }
  return c;
}

/// The code point of a character of two or three bytes, those in which letters have cases.
std::uint32_t decode(std::string_view character) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(character[k]); };
  if (character.size() == 2) return ((byte(0) & 0x1fU) << 6) | (byte(1) & 0x3fU);
  return ((byte(0) & 0x0fU) << 12) | ((byte(1) & 0x3fU) << 6) | (byte(2) & 0x3fU);
}

void append_encoded(std::uint32_t c, std::string& out) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xc0 | (c >> 6)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3f)));
  } else {
    out.push_back(static_cast<char>(0xe0 | (c >> 12)));
    out.push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3f)));
  }
}

bool has_cases(std::string_view character) {
  return character.size() == 2 || character.size() == 3;
}

/// The class a character stands for in a shape; empty if it stands for itself.
char shape_class(std::string_view character) {
  const char c = character.front();
  if (character.size() == 1 && static_cast<unsigned char>(c) < 0x80) {
    if (c >= 'A' && c <= 'Z') return 'X';
    if (c >= 'a' && c <= 'z') return 'x';
    if (c >= '0' && c <= '9') return 'd';
    return c;
  }
  if (!has_cases(character)) return 'x';
  const std::uint32_t point = decode(character);
  return lower(point) != point ? 'X' : 'x';
}

}  // namespace

std::size_t character_size(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  std::size_t size = 1;
  if (lead >= 0xc2 && lead <= 0xdf) size = 2;
  if (lead >= 0xe0 && lead <= 0xef) size = 3;
  if (lead >= 0xf0 && lead <= 0xf4) size = 4;
  if (at + size > text.size()) return 1;
  for (std::size_t k = 1; k < size; ++k) {
    if (!is_continuation(text[at + k])) return 1;
  }
  if (size < 3) return size;
  // Overlong forms, surrogates and points beyond the last one are not characters.
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool is_bad = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                      (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return is_bad ? 1 : size;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0; --count) {
    if (at == text.size()) return {};
    at += character_size(text, at);
  }
  return text.substr(0, at);
}

std::string_view last_characters(std::string_view text, std::size_t count) {
  std::size_t at = text.size();
  for (; count > 0; --count) {
    if (at == 0) return {};
    // The character that ends at `at` is the longest that fits there exactly.
    std::size_t size = 1;
    for (std::size_t tried = 2; tried <= 4 && tried <= at; ++tried) {
      if (character_size(text, at - tried) == tried) size = tried;
    }
    at -= size;
  }
  return text.substr(at);
}

void append_lower(std::string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    const std::string_view character = text.substr(at, size);
    if (size == 1) {
      const char c = character.front();
      out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c);
    } else if (has_cases(character)) {
      append_encoded(lower(decode(character)), out);
    } else {
      out.append(character);
    }
    at += size;
  }
}

std::string lowered(std::string_view text) {
  std::string out;
  append_lower(text, out);
  return out;
}

void append_shape(std::string_view text, std::string& out) {
  char previous = '\0';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    const char c = shape_class(text.substr(at, size));
    if (c != previous) out.push_back(c);
    previous = c;
    at += size;
  }
}

}  // namespace gapwise::internal
