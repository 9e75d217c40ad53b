#pragma once

#include <string>
#include <vector>

#include "gapwise/option_table.h"
#include "report/run.h"

namespace gapwise::internal::cli {

/// Files and folders of runs, given one after the other without a name.
struct RunList {
  std::vector<std::string> paths;

  Option row();
  /// Reads all of them. OptionError if there are none.
  RunSet read() const;
};

}  // namespace gapwise::internal::cli
