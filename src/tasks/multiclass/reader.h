#pragma once

#include <string_view>
#include <vector>

#include "io/svmlight.h"
#include "tasks/shared/labelled_examples.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// The formats of examples with one class each.
std::vector<std::string_view> multiclass_formats();
/// OptionError if `source` asks for a format or for folds that there are not.
void check_multiclass_source(const DataSource& source);

constexpr std::string_view kOneLabel = "task multiclass takes one label per example";

/// Reads examples of one class each; a class that is a number in its shortest form.
class MulticlassReader {
 public:
  MulticlassReader(LineReader& lines, bool needs_labels)
      : lines_(lines), reader_(lines), needs_labels_(needs_labels) {}

  /// Takes the next example, without a label only if none is needed; false at the end.
  bool read(LabelledExample& example);
  /// InputError for data without an example.
  [[noreturn]] void fail_empty() const;

 private:
  std::string read_class(std::string_view text) const;

  LineReader& lines_;
  SvmlightReader reader_;
  bool needs_labels_;
  SvmlightExample line_;
};

}  // namespace gapwise::internal
