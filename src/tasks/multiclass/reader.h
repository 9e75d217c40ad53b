#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/svmlight.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// The formats of examples with one class each.
std::vector<std::string_view> multiclass_formats();
/// OptionError if `source` asks for a format or for folds that there are not.
void check_multiclass_source(const DataSource& source);

/// Reads examples of one class each.
class MulticlassReader {
 public:
  MulticlassReader(LineReader& lines, bool needs_labels)
      : lines_(lines), reader_(lines), needs_labels_(needs_labels) {}

  /// Takes the next example; false at the end. InputError at the end if there was none at all.
  bool read();

  const SvmlightExample& example() const { return example_; }
  /// The class of the example; a number in its shortest form. Empty if it has none.
  const std::string& class_name() const { return class_name_; }

 private:
  void read_class(std::string_view text);

  LineReader& lines_;
  SvmlightReader reader_;
  bool needs_labels_;
  bool has_examples_ = false;
  SvmlightExample example_;
  std::string class_name_;
};

}  // namespace gapwise::internal
