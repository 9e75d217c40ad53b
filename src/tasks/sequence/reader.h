#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/lines.h"
#include "tasks/sequence/builder.h"
#include "tasks/sequence/template/template.h"

namespace gapwise::internal {

/// Reads one format of labelled sequences.
class SequenceReader {
 public:
  virtual ~SequenceReader() = default;
  /// Adds the next sequence; false at the end of the data.
  virtual bool read(SequenceBuilder& into) = 0;
  /// Lines of the template, and the number of columns with the label, if the format has them;
  /// known after the first sequence.
  virtual std::vector<std::string> template_lines() const { return {}; }
  virtual int num_columns() const { return 0; }
  /// Why `read` found no sequence at all: "expected lines ..."
  virtual std::string expectation() const = 0;
};

/// What is known of the data before they are read.
struct ReadPlan {
  std::string format;                 ///< empty: told from the file
  std::string folds;                  ///< empty: all
  std::optional<Template> templates;  ///< none: the standard one (format conll)
  int num_columns = 0;                ///< of the training data, label included; 0 if not known
  bool needs_labels = true;           ///< false: the label may be missing
  bool has_dictionary = false;        ///< every token lists the labels it may have
};

/// InputError for data in which `reader` found no sequence.
[[noreturn]] void fail_without_sequences(const LineReader& lines, const SequenceReader& reader);

/// The formats of sequences, in the order of the help text.
std::vector<std::string_view> sequence_formats();
/// Tells the format from the start of a file (docs/formats.md gives the rules).
std::string_view detect_sequence_format(std::string_view head);
/// Whether a file that starts like this hardly holds anything but sequences: letters, attributes,
/// or columns without numbers of which the last looks like labels.
bool looks_like_sequences(std::string_view head);
/// `plan.format` is one of sequence_formats(). OptionError if the plan does not suit the format.
std::unique_ptr<SequenceReader> make_sequence_reader(LineReader& lines, const ReadPlan& plan);

}  // namespace gapwise::internal
