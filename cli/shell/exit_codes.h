#pragma once

#include "gapwise/errors.h"

namespace gapwise::internal::cli {

/// Of the program; docs/program.md.
enum ExitCode {
  kDone = 0,          ///< the gap or a budget was reached
  kInternal = 1,      ///< something that should not be
  kUsage = 2,         ///< an option
  kBadInput = 3,      ///< a file
  kInterrupted = 4,   ///< ended by a signal, everything is saved
  kNotConverged = 5,  ///< --require-converged, and the gap was not reached
  kDisproved = 6,     ///< a model is not as near to its optimum as its proof claims
};

/// Thrown by a verb that did its work, but not all that was asked for.
class EndedEarly : public Error {
 public:
  EndedEarly(ExitCode code, std::string_view message) : Error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace gapwise::internal::cli
