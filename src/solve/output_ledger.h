#pragma once

#include "core/dual_outputs.h"
#include "gapwise/corner.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// The outputs behind the block states of a solver that only keeps what they add up to. Kept only
/// for proofs: it grows by one output with every step to one that has no weight yet.
class OutputLedger {
 public:
  /// Every block at its truth; nothing is kept unless asked for.
  OutputLedger(Index n, bool is_on);

  bool is_on() const { return !blocks_.empty(); }
  /// Block i went the part gamma of the way to `corner`.
  void blend(Index i, const Corner& corner, double gamma);
  const DualOutputs& outputs() const { return blocks_; }

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  DualOutputs blocks_;
};

}  // namespace gapwise::internal
