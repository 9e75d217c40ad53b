#pragma once

#include <vector>

#include "core/parallel.h"
#include "core/stop.h"

namespace gapwise::internal {

/// Calls visit(decoder, i) for 0 <= i < n on all threads, each with a copy of `prototype` of its
/// own.
template <class Decoder, class Visit>
void label_all(const Threads& threads, Index n, const Decoder& prototype, Visit visit) {
  std::vector<Decoder> decoders(static_cast<std::size_t>(threads.count()), prototype);
  threads.run(n, [&](Index begin, Index end, int slot) {
    for (Index i = begin; i < end; ++i) {
      give_up_if_asked();
      visit(decoders[static_cast<std::size_t>(slot)], i);
    }
  });
}

}  // namespace gapwise::internal
