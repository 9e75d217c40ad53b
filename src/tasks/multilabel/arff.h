#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/alphabet.h"
#include "io/lines.h"

namespace gapwise::internal {

/// A column of an ARFF file: numbers, or one of some values.
struct ArffAttribute {
  std::string name;
  bool is_numeric = true;
  Alphabet values;  ///< of a nominal attribute, in the order of their declaration
};

/// What a row has for an attribute.
struct ArffCell {
  std::size_t attribute;
  std::string text;  ///< without quotes
  bool is_missing;   ///< a question mark
};

/// Reads ARFF, the format of Weka: attributes first, then one row per line, dense ("1,0,x") or
/// sparse ("{0 1,2 x}", attributes from 0 on).
class ArffReader {
 public:
  /// Reads the header. Attributes of type string, date or relational are refused.
  explicit ArffReader(LineReader& lines);

  const std::vector<ArffAttribute>& attributes() const { return attributes_; }

  /// The cells of the next row by increasing attribute: all of them, or those that a sparse row
  /// lists. The others of a sparse row are 0, or the first value of a nominal attribute. False at
  /// the end.
  bool read(std::vector<ArffCell>& cells);

 private:
  bool read_header_line(std::string_view line);
  void read_attribute(std::string_view text);
  void read_type(std::string_view text, ArffAttribute& attribute) const;
  void read_dense(std::string_view line, std::vector<ArffCell>& cells);
  void read_sparse(std::string_view line, std::vector<ArffCell>& cells);

  LineReader& lines_;
  std::vector<ArffAttribute> attributes_;
};

/// Whether a file that begins like this is ARFF.
bool looks_like_arff(std::string_view head);

/// The text in quotes if it needs them as a name or value of ARFF.
std::string arff_word(std::string_view text);

}  // namespace gapwise::internal
