#include "io/svmlight.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

/// The next run of characters that are not blank, which `at` is moved behind; empty at the end.
std::string_view next_field(const char*& at, const char* end) {
  while (at < end && is_blank(*at)) ++at;
  const char* const begin = at;
  while (at < end && !is_blank(*at)) ++at;
  return {begin, static_cast<std::size_t>(at - begin)};
}

}  // namespace

bool SvmlightReader::read(SvmlightExample& example) {
  std::string_view line;
  while (lines_.next(line)) {
    const char* at = line.data();
    const char* const end = at + std::min(line.find('#'), line.size());
    std::string_view field = next_field(at, end);
    if (field.empty()) continue;
    example.label = {};
    example.indices.clear();
    example.values.clear();
    last_index_ = 0;
    if (field.find(':') == std::string_view::npos) {
      example.label = field;
      field = next_field(at, end);
    }
    for (; !field.empty(); field = next_field(at, end)) read_feature(field, example);
    return true;
  }
  return false;
}

void SvmlightReader::read_feature(std::string_view field, SvmlightExample& example) {
  std::size_t colon = 0;
  while (colon < field.size() && field[colon] != ':') ++colon;
  if (colon == field.size()) {
    lines_.fail(fmt::format("'{}' has no colon; {}", field, kSvmlightForm));
  }
  const std::string_view name = field.substr(0, colon);
  if (name == "qid") {
    lines_.fail(
        fmt::format("'{}' groups the lines of a ranking, which is not learned here; take "
                    "it out of every line",
                    field));
  }
  const std::uint32_t index = read_index(name, field);
  last_index_ = index;
  const std::string_view text = field.substr(colon + 1);
  double value = 0.0;
  if (const ValueText found = parse_value(text, value); found != ValueText::kGood) {
    refuse_value(lines_, found, text, fmt::format("index {}", index), kSvmlightForm);
  }
  if (value == 0.0) return;
  example.indices.push_back(index);
  example.values.push_back(value);
}

std::uint32_t SvmlightReader::read_index(std::string_view text, std::string_view field) const {
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    lines_.fail(
        fmt::format("index '{}' of '{}' is not a whole number; {}", text, field, kSvmlightForm));
  }
  if (error == std::errc::result_out_of_range || index < 1 || index > kLargestFeature) {
    lines_.fail(fmt::format("index {} is not between 1 and {}; number the features from 1", text,
                            kLargestFeature));
  }
  if (index == last_index_) {
    lines_.fail(fmt::format("index {} comes twice; leave one of the two out", index));
  }
  if (index < last_index_) {
    lines_.fail(fmt::format("index {} comes after {}; sort the features of each line by index",
                            index, last_index_));
  }
  return static_cast<std::uint32_t>(index);
}

}  // namespace gapwise::internal
