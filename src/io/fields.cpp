#include "io/fields.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gapwise::internal {

namespace {

/// Reads digits with perhaps a sign before and a point among them, as far as a division of two
/// numbers that a double holds exactly gives the nearest double; false for anything else.
bool parse_short_decimal(std::string_view text, double& value) {
  constexpr std::size_t kMostDigits = 15;  // which a double holds
  constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kMostDigits + 1 || text[0] == '.') return false;
  std::uint64_t digits = 0;
  std::size_t behind_point = 0;
  bool has_point = false;
  for (const char c : text) {
    const auto digit = static_cast<unsigned>(c) - '0';
    if (digit < 10) {
      digits = 10 * digits + digit;
      behind_point += has_point ? 1 : 0;
    } else if (c == '.' && !has_point) {
      has_point = true;
    } else {
      return false;
    }
  }
  if (text.size() - (has_point ? 1 : 0) > kMostDigits) return false;
  value = static_cast<double>(digits) / kPowers[behind_point];
  if (is_negative) value = -value;
  return true;
}

}  // namespace

ValueText parse_value(std::string_view text, double& value) {
  if (parse_short_decimal(text, value)) return ValueText::kGood;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return ValueText::kNotANumber;
  }
  const bool is_in_range = std::isfinite(value) && std::fabs(value) <= kLargestValue;
  return is_in_range ? ValueText::kGood : ValueText::kOutOfRange;
}

void refuse_value(const LineReader& lines, ValueText found, std::string_view text,
                  std::string_view feature, std::string_view hint) {
  if (found == ValueText::kNotANumber) {
    lines.fail(fmt::format("value '{}' of {} is not a number{}{}", text, feature,
                           hint.empty() ? "" : "; ", hint));
  }
  lines.fail(
      fmt::format("value '{}' of {} must be finite and at most {} in size; correct or rescale it",
                  text, feature, kLargestValue));
}

bool parse_index(std::string_view text, Index& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 &&
         !text.starts_with('-');
}

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void split_blanks(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    fields.push_back(line.substr(begin, at - begin));
  }
}

bool next_fields(LineReader& lines, std::vector<std::string_view>& fields) {
  std::string_view line;
  while (lines.next(line)) {
    split_blanks(line.substr(0, line.find('#')), fields);
    if (!fields.empty()) return true;
  }
  fields.clear();
  return false;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    items.emplace_back(trim_blanks(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return items;
}

std::vector<std::string> split_commas(std::string_view text) {
  if (trim_blanks(text).empty()) return {};
  return split(text, ',');
}

}  // namespace gapwise::internal
