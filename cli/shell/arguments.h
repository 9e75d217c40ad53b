#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "shell/command.h"

namespace gapwise::internal::cli {

/// Sets the options of `command` from the arguments and checks their ranges; returns the names of
/// those that were given. Throws OptionError for anything that does not fit.
std::set<std::string> parse_arguments(const Arguments& args, Command& command);

/// The value of `--name V` or `--name=V`, wherever it stands; empty if it is not there.
std::string peek_argument(const Arguments& args, std::string_view name);

}  // namespace gapwise::internal::cli
