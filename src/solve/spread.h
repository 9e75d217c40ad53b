#pragma once

#include <functional>

#include "core/parallel.h"
#include "core/ranks.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// Work on items 0 .. count-1, none of which needs another one.
struct SpreadWork {
  Index count = 0;
  double seconds_each = 0.0;  ///< as far as known; 0 if not
  /// Done once for each item, by some thread of some rank; `slot` is one of its threads.
  std::function<void(Index k, int slot)> work = {};
  /// What the other ranks need of it, and how they take it; not called where there are none.
  std::function<void(Index k, StateWriter& out)> pack = {};
  std::function<void(Index k, StateReader& in)> take = {};
};

/// Does the work on all threads and, if `ranks` is not null, on all ranks: afterwards every rank
/// has every result. Of exceptions, that of the lowest item goes on, on all ranks.
void spread(const Threads& threads, Ranks* ranks, const Problem& problem, const SpreadWork& work);

}  // namespace gapwise::internal
