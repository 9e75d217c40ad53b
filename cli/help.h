#pragma once

#include <string>

#include "command.h"

namespace gapwise::cli {

/// The verbs of the program, one line each.
std::string help_overview();

/// Usage, options with defaults, and for `train` the solvers and tasks.
std::string help_on(const Verb& verb);

}  // namespace gapwise::cli
