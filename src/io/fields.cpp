#include "io/fields.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gapwise::internal {

ValueText parse_value(std::string_view text, double& value) {
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
