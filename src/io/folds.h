#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// A list of folds such as "0", "1-9" or "1,3,5-7", or "all but 1,3", which is all others; an empty
/// one has all of them.
class Folds {
 public:
  explicit Folds(const std::string& text);  ///< OptionError if it is not such a list
  bool contains(Index fold) const;
  /// The text of the list of all others.
  std::string others() const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool are_others_ = false;
  std::vector<std::pair<Index, Index>> ranges_;
};

/// OptionError: folds were asked for of a source that has none.
[[noreturn]] void refuse_folds(std::string_view source);

}  // namespace gapwise::internal
