#include "tasks/multiclass/reader.h"

#include <fmt/format.h>

#include "io/folds.h"
#include "tasks/shared/class_names.h"

namespace gapwise::internal {
std::vector<std::string_view> multiclass_formats() {
  return {"svmlight"};
}

void check_multiclass_source(const DataSource& source) {
  if (!source.format.empty() && source.format != "svmlight") {
    throw OptionError(fmt::format("format '{}' is not one of svmlight", source.format));
  }
  if (!source.folds.empty()) refuse_folds(source.folds, "format svmlight");
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

void MulticlassReader::read_class(std::string_view text) {
  class_name_.clear();
  if (text.empty()) {
    if (!needs_labels_) return;
    lines_.fail(fmt::format("the line has no label before its first feature; {}", kSvmlightForm));
  }
  if (text.find(',') != std::string_view::npos) {
    lines_.fail(
        fmt::format("'{}' are several labels; task multiclass takes one label per example", text));
  }
  class_name_ = internal::class_name(text, lines_);
}

}  // namespace gapwise::internal
