#include "io/folds.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"
#include "io/fields.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kAllBut = "all but ";

[[noreturn]] void refuse(const std::string& text) {
  throw OptionError(
      fmt::format("folds '{}' must be numbers and ranges such as 0 or 1-9 or 1,3,5-7, or 'all but "
                  "1,3' for all others",
                  text));
}

}  // namespace

Folds::Folds(const std::string& text) : text_(text) {
  std::string_view rest = text_;
  if (rest.starts_with(kAllBut)) {
    are_others_ = true;
    rest.remove_prefix(kAllBut.size());
  }
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = trim_blanks(rest.substr(0, comma));
    const std::size_t dash = item.find('-');
    std::pair<Index, Index> range;
    const bool is_number = parse_index(item.substr(0, dash), range.first);
    range.second = range.first;
    const bool is_range =
        dash == std::string_view::npos || parse_index(item.substr(dash + 1), range.second);
    const bool ends_in_comma = comma != std::string_view::npos && comma + 1 == rest.size();
    if (!is_number || !is_range || range.second < range.first || ends_in_comma) {
      refuse(text);
    }
    ranges_.push_back(range);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  if (are_others_ && ranges_.empty()) refuse(text);
}

std::string Folds::others() const {
  if (are_others_) return text_.substr(kAllBut.size());
  return fmt::format("{}{}", kAllBut, text_);
}

bool Folds::contains(Index fold) const {
  if (ranges_.empty()) return true;
  const bool is_listed = std::any_of(ranges_.begin(), ranges_.end(), [fold](const auto& range) {
    return range.first <= fold && fold <= range.second;
  });
  return is_listed != are_others_;
}

void refuse_folds(std::string_view source) {
  throw OptionError(fmt::format(
      "{} says of no example which fold it is in, so none can be chosen; keep test data "
      "in a file of their own",
      source));
}

}  // namespace gapwise::internal
