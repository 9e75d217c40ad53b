#pragma once

namespace gapwise::internal::cli {

/// From here on the first SIGINT or SIGTERM only raises a flag and the second ends the process at
/// once with 128 + its number; a reader that went away no longer kills us. All files are
/// replaced whole, so ending anywhere leaves none torn.
void catch_signals();

/// Whether a signal asked for the end.
bool is_interrupted();

}  // namespace gapwise::internal::cli
