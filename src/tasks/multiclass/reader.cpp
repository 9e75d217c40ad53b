#include "tasks/multiclass/reader.h"

#include <fmt/format.h>

#include "io/folds.h"
#include "tasks/shared/formats.h"

namespace gapwise::internal {

std::vector<std::string_view> multiclass_formats() {
  return {"svmlight"};
}

void check_multiclass_source(const DataSource& source) {
  if (!source.format.empty()) check_format(source.format, multiclass_formats());
  if (!source.folds.empty()) refuse_folds("format svmlight");
}

bool MulticlassReader::read(LabelledExample& example) {
  if (!reader_.read(line_)) return false;
  example.labels.clear();
  if (!line_.label.empty()) {
    example.labels.push_back(read_class(line_.label));
  } else if (needs_labels_) {
    lines_.fail(fmt::format("the line has no label before its first feature; {}", kSvmlightForm));
  }
  example.indices.swap(line_.indices);
  example.values.swap(line_.values);
  return true;
}

std::string MulticlassReader::read_class(std::string_view text) const {
  if (text.find(',') != std::string_view::npos) {
    lines_.fail(fmt::format("'{}' are several labels; {}", text, kOneLabel));
  }
  return class_name(text, [this](const std::string& what) { lines_.fail(what); });
}

void MulticlassReader::fail_empty() const {
  throw InputError(fmt::format("{}: {}; {} on each line", lines_.name(),
                               lines_.line_number() == 0 ? "is empty" : "holds no examples",
                               kSvmlightForm));
}

}  // namespace gapwise::internal
