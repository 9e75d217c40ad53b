#pragma once

#include <atomic>

namespace gapwise::internal::cli {

/// From here on the first SIGINT, SIGTERM or SIGHUP only raises a flag. A second SIGINT or SIGTERM
/// ends the process at once with 128 + its number; a second SIGHUP does not, since a terminal that
/// goes away may send several. All files are replaced whole, so ending anywhere leaves none torn.
/// A reader that went away no longer kills us. What was ignored on entry (nohup) stays ignored.
void catch_signals();

/// From here on SIGUSR2 asks for the end as well, any number of times: schedulers and mpirun, which
/// pass it on to all ranks, have no gentler way to say so.
void catch_end_requests();

/// From here on SIGUSR1 no longer kills us but asks for a checkpoint.
void catch_checkpoint_requests();

/// Raised once a signal asked for the end.
const std::atomic<bool>& stop_flag();
inline bool is_interrupted() {
  return stop_flag().load(std::memory_order_relaxed);
}

/// Whether SIGUSR1 came since this was asked last.
bool takes_checkpoint_request();

}  // namespace gapwise::internal::cli
