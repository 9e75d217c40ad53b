#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "shell/command.h"

namespace gapwise::internal::cli {

/// The verbs of the program, one line each.
std::string help_overview();

/// Usage, options with defaults, and the solvers and tasks for verbs that train.
/// The groups of the verb, with those that only another task brings in.
std::vector<OptionGroup> groups_of(const Verb& verb);

/// "required", or the default.
std::string note_of(const Command& command, const Option& row);

/// The page of the manual for the program, or for one of its verbs.
std::string man_page();
std::string man_page(const Verb& verb);

/// A script that completes verbs, options and their values in a shell.
enum class Shell { kBash, kZsh, kFish };
constexpr std::array<std::string_view, 3> enum_names(Shell) {
  return {"bash", "zsh", "fish"};
}
std::string completion(Shell shell);

std::string help_on(const Verb& verb, const Arguments& args = {});

}  // namespace gapwise::internal::cli
