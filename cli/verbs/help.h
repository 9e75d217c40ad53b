#pragma once

#include <string>

#include "shell/command.h"

namespace gapwise::internal::cli {

/// The verbs of the program, one line each.
std::string help_overview();

/// Usage, options with defaults, and the solvers and tasks for verbs that train.
std::string help_on(const Verb& verb, const Arguments& args = {});

}  // namespace gapwise::internal::cli
