#pragma once

#include <string>
#include <vector>

#include "gapwise/train_options.h"

namespace gapwise::internal {

/// One run of a comparison: what was written for it, the name of its trace and of its row in the
/// table, and its options.
struct CompareEntry {
  std::string text;   ///< "bcpfw:sampling=gap:cache=100"
  std::string label;  ///< "bcpfw+sampling=gap+cache=100": safe as a file name, no two are equal
  TrainOptions options;
  std::string objective;  ///< equal for entries that differ at most in lambda and the way there
};

/// The entries of a list such as "bcfw,bcfw:sampling=gap": solvers with the options of `train` that
/// differ from `common`. Throws OptionError that names the entry.
std::vector<CompareEntry> parse_entries(const std::string& list, const TrainOptions& common);

/// Different relative gaps, the largest first, out of a list such as "0.1,0.01"; throws
/// OptionError.
std::vector<double> parse_gaps(const std::string& list);

}  // namespace gapwise::internal
