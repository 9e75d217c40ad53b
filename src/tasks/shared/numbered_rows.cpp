#include "tasks/shared/numbered_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/fields.h"
#include "io/svmlight.h"

namespace gapwise::internal {

void RowMaker::feature(std::uint32_t number, double value) {
  check_open();
  if (number < 1 || number > kLargestFeature) {
    fail(fmt::format("feature {} is not between 1 and {}; number the features from 1", number,
                     kLargestFeature));
  }
  if (number == last_number_) {
    fail(fmt::format("feature {} comes twice; leave one of the two out", number));
  }
  if (number < last_number_) {
    fail(fmt::format("feature {} comes after {}; sort the features of each row by number", number,
                     last_number_));
  }
  if (!std::isfinite(value) || std::fabs(value) > kLargestValue) {
    fail(
        fmt::format("value {} of feature {} must be finite and at most {} in size; correct or "
                    "rescale it",
                    value, number, kLargestValue));
  }
  last_number_ = number;
  if (value == 0.0) return;
  example_.indices.push_back(number);
  example_.values.push_back(value);
}

void RowMaker::label(std::string_view name) {
  check_open();
  if (name.empty()) fail("a label has an empty name; leave it out if there is none");
  std::string label = class_name(name, [this](const std::string& what) { fail(what); });
  if (std::find(example_.labels.begin(), example_.labels.end(), label) != example_.labels.end()) {
    fail(fmt::format("label '{}' comes twice; leave one of the two out", label));
  }
  example_.labels.push_back(std::move(label));
}

void RowMaker::end_row() {
  check_open();
  has_row_ = true;
}

const LabelledExample& RowMaker::example() const {
  if (!has_row_) fail("the example has no row; end its row before the example");
  return example_;
}

void RowMaker::start_next() {
  example_.labels.clear();
  example_.indices.clear();
  example_.values.clear();
  last_number_ = 0;
  has_row_ = false;
  ++count_;
}

void RowMaker::check_open() const {
  if (has_row_) fail("the example has more than one row; end the example behind each row");
}

void RowMaker::fail(const std::string& what) const {
  throw InputError(fmt::format("example {}: {}", count_ + 1, what));
}

void refuse_names(std::string_view name) {
  throw OptionError(
      fmt::format("'{}' is the name of an attribute, but features have numbers here; number them "
                  "from 1",
                  name));
}

}  // namespace gapwise::internal
