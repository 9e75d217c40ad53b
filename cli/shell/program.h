#pragma once

#include <span>
#include <string_view>

#include "core/ranks/ranks.h"
#include "shell/command.h"

namespace gapwise::internal::cli {

/// The program as it was built and started.
struct Program {
  std::string_view name;    ///< "gapwise"
  std::string_view commit;  ///< empty if not known
  Ranks* ranks = nullptr;   ///< the job of which it is a part; null: it is alone
};

/// Runs the verb that `words` begin with and returns the exit code. Of several ranks only rank 0
/// prints, and only those verbs that say so run on the others.
int run_program(const Program& program, const Arguments& words);
/// The same with the words as the system hands them over.
int run_program(const Program& program, std::span<char* const> words);

}  // namespace gapwise::internal::cli
