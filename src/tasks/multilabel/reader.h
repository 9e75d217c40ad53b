#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/lines.h"
#include "tasks/shared/labelled_examples.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Reads one format of examples with any number of labels.
class MultilabelReader {
 public:
  virtual ~MultilabelReader() = default;
  /// Takes the next example; false at the end.
  virtual bool read(LabelledExample& example) = 0;
  /// All labels, in order, if the format declares them before the examples.
  virtual std::vector<std::string> labels() const { return {}; }
  /// The name of feature 1, 2, ..., if features have names.
  virtual std::vector<std::string> features() const { return {}; }
};

/// What is known of the data before they are read.
struct MultilabelPlan {
  std::string format;               ///< one of multilabel_formats()
  std::vector<std::string> labels;  ///< which attributes are labels (format arff)
  /// Features that have numbers already: names and indices; none: numbered in the order of the file
  /// (format arff).
  std::vector<std::string> feature_names;
  std::vector<std::uint32_t> feature_indices;
  bool needs_labels = true;  ///< false: labels may be missing
};

/// The formats, in the order of the help text.
std::vector<std::string_view> multilabel_formats();
/// The format of `source`, told from the file if it says none. OptionError if there is no such
/// format, or if it asks for folds.
std::string multilabel_format(const DataSource& source, LineReader& lines);

std::unique_ptr<MultilabelReader> make_multilabel_reader(LineReader& lines,
                                                         const MultilabelPlan& plan);

/// Examples of an ARFF file, some of whose attributes are labels: 1 if the example has the label, 0
/// if not. Numbers and attributes with the values 0 and 1 are features as they are; any other
/// nominal attribute is one feature for each of its values, 1 where it has that value.
std::unique_ptr<MultilabelReader> make_arff_sets(LineReader& lines, const MultilabelPlan& plan);

/// InputError for data without an example.
[[noreturn]] void fail_without_examples(const std::string& format, const LineReader& lines);

}  // namespace gapwise::internal
