#pragma once

#include <string_view>

namespace gapwise::internal {

/// What stands in front of the lines of a text that may be svmlight.
enum class SvmlightLabels {
  kNotSvmlight,  ///< some line is not of the form 'label index:value ...'
  kOneEach,
  kLists,  ///< some line has several labels, separated by commas
  kUnclear,
};

/// Looks at the complete lines of the start of a file.
SvmlightLabels labels_of_svmlight(std::string_view head);

}  // namespace gapwise::internal
