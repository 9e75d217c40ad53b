#include "io/multiclass_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"

namespace gapwise {
namespace {

/// A label as a number, with or without a plus sign.
ValueText parse_label(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_value(text, value);
}

}  // namespace

std::vector<std::string_view> multiclass_formats() {
  return {"svmlight"};
}

void check_multiclass_source(const DataSource& source) {
  if (!source.format.empty() && source.format != "svmlight") {
    throw OptionError(fmt::format("format '{}' is not one of svmlight", source.format));
  }
  if (!source.folds.empty()) {
    throw OptionError(
        fmt::format("folds '{}' were given, but format svmlight has none", source.folds));
  }
}

bool is_class_before(std::string_view a, std::string_view b) {
  double number_a = 0.0;
  double number_b = 0.0;
  const bool is_number_a = parse_label(a, number_a) == ValueText::kGood;
  const bool is_number_b = parse_label(b, number_b) == ValueText::kGood;
  if (is_number_a != is_number_b) return is_number_a;
  return is_number_a && number_a != number_b ? number_a < number_b : a < b;
}

void FeatureNumbers::add_row(std::span<const std::uint32_t> row_indices,
                             std::span<const double> values, FeatureRows& rows) const {
  auto at = indices.begin();
  for (std::size_t f = 0; f < row_indices.size(); ++f) {
    at = std::lower_bound(at, indices.end(), row_indices[f]);
    if (at == indices.end()) break;
    if (*at != row_indices[f]) continue;
    rows.add(static_cast<std::uint32_t>(at - indices.begin()), values[f]);
  }
  if (has_bias) rows.add(static_cast<std::uint32_t>(indices.size()));
  rows.end_row();
}

bool MulticlassReader::read() {
  if (reader_.read(example_)) {
    read_class(example_.label);
    has_examples_ = true;
    return true;
  }
  if (has_examples_) return false;
  throw InputError(fmt::format("{}: {}; {} on each line", lines_.name(),
                               lines_.line_number() == 0 ? "is empty" : "holds no examples",
                               kSvmlightForm));
}

/// "+1", "1" and "1.0" are the same class.
void MulticlassReader::read_class(std::string_view text) {
  class_name_ = text;
  if (text.empty()) {
    if (!needs_labels_) return;
    lines_.fail(fmt::format("the line has no label before its first feature; {}", kSvmlightForm));
  }
  if (text.find(',') != std::string_view::npos) {
    lines_.fail(
        fmt::format("'{}' are several labels; task multiclass takes one label per example", text));
  }
  double number = 0.0;
  const ValueText found = parse_label(text, number);
  if (found == ValueText::kOutOfRange) {
    lines_.fail(
        fmt::format("label '{}' is not a finite number of at most {} in size; give the "
                    "class a number or a name",
                    text, kLargestValue));
  }
  if (found == ValueText::kGood) class_name_ = fmt::format("{}", number == 0.0 ? 0.0 : number);
}

}  // namespace gapwise
