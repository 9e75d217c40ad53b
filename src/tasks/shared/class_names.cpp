#include "tasks/shared/class_names.h"

#include <fmt/format.h>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

/// A label as a number, with or without a plus sign.
ValueText parse_label(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_value(text, value);
}

}  // namespace

bool is_class_before(std::string_view a, std::string_view b) {
  double number_a = 0.0;
  double number_b = 0.0;
  const bool is_number_a = parse_label(a, number_a) == ValueText::kGood;
  const bool is_number_b = parse_label(b, number_b) == ValueText::kGood;
  if (is_number_a != is_number_b) return is_number_a;
  return is_number_a && number_a != number_b ? number_a < number_b : a < b;
}

std::string class_name(std::string_view text, const Complain& complain) {
  double number = 0.0;
  const ValueText found = parse_label(text, number);
  if (found == ValueText::kOutOfRange) {
    complain(
        fmt::format("label '{}' is not a finite number of at most {} in size; give the "
                    "class a number or a name",
                    text, kLargestValue));
  }
  if (found == ValueText::kGood) return fmt::format("{}", number == 0.0 ? 0.0 : number);
  return std::string(text);
}

}  // namespace gapwise::internal
