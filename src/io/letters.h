#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/sequence_reader.h"

namespace gapwise {

/// A set of fold numbers: "0", "1-9", "1,3,5-7"; the empty text stands for all.
class Folds {
 public:
  explicit Folds(const std::string& text);  ///< OptionError if it is not such a list
  bool contains(Index fold) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::pair<Index, Index>> ranges_;
};

/// Words as small black and white images, one letter a line: `word_id position fold letter bits`.
std::unique_ptr<SequenceReader> make_letters_reader(LineReader& lines, const std::string& folds);

/// Whether a line has the form of this format.
bool looks_like_letters(std::string_view line);

}  // namespace gapwise
