#pragma once

#include <string>

#include "app/comparison.h"

namespace gapwise::internal::cli {

/// An array of the summaries that `train` would give, each with its label; one line per summary.
std::string to_json(const Comparison& comparison);

/// What it took to get to each of the gaps and to the end, and what came out. An outcome without a
/// certificate of its own is measured against the best dual value of all runs with its objective,
/// and marked.
std::string to_table(const Comparison& comparison);

}  // namespace gapwise::internal::cli
