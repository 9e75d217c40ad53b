#pragma once

#include <string>
#include <vector>

#include "gapwise/option_table.h"

namespace gapwise {

/// What there is to know of an option without setting it, for those who show options to people.
struct OptionInfo {
  std::string name;         ///< "hash-bits"
  std::string placeholder;  ///< "B", "FILE" or the choices "margin|slack"
  std::string help;         ///< one line
  std::string fallback;     ///< the default, in words where it depends on something
  std::string value;        ///< the default as set_option() takes it; empty: not set
  bool is_flag = false;     ///< yes or no
};
/// The rows of a table whose options have not been set yet.
std::vector<OptionInfo> describe(const OptionTable& table);

/// A task that examples may be of.
struct TaskInfo {
  std::string name;                  ///< "sequence"
  std::string help;                  ///< one line
  std::vector<std::string> formats;  ///< of files; the first one is taken without being told
  bool takes_rows = false;           ///< ExampleRows can put its examples together
  std::vector<OptionInfo> options;   ///< what TaskOptions may hold
};
std::vector<TaskInfo> tasks();  ///< all of them

}  // namespace gapwise
