#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/figures.h"

namespace gapwise::internal::cli {

/// How one entry of a comparison went.
struct Outcome {
  std::string label;
  std::string objective;               ///< equal for runs that minimise the same, lambda aside
  Figures figures;                     ///< at the end; without a status if the run broke off
  std::vector<Progress> measurements;  ///< every gap pass, in order
  std::vector<Tested> tests;           ///< on the way, in order
  std::optional<std::string> error;    ///< why the run broke off
};

/// Several runs on the same data.
struct Comparison {
  std::vector<std::string> notes;    ///< what all runs have in common, a line each
  std::vector<double> gaps;          ///< relative gaps to tell the way to
  std::vector<Outcome> outcomes;     ///< in the order of the list
  std::vector<std::string> skipped;  ///< labels of the entries that were not run
};

/// An array of the summaries that `train` would give, each with its label; one line per summary.
std::string to_json(const Comparison& comparison);

/// What it took to get to each of the gaps and to the end, and what came out. An outcome without a
/// certificate of its own is measured against the best dual value of all runs with its objective,
/// and marked.
std::string to_table(const Comparison& comparison);

}  // namespace gapwise::internal::cli
