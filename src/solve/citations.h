#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gapwise::internal {

/// The keys of docs/references.md that a solver comes from; none for a name that is no solver.
std::vector<std::string_view> citations_of(std::string_view solver);

/// BibTeX entries of what these solvers come from, each once, and of gapwise itself; with those of
/// the path if there was one.
std::string bibtex(std::span<const std::string> solvers, bool has_path);

}  // namespace gapwise::internal
