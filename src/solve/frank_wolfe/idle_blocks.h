#pragma once

#include <vector>

#include "gapwise/types.h"
#include "solve/fields.h"

namespace gapwise::internal {

/// Blocks that are left out of passes over remembered corners, but for every fourth one: those
/// whose pairwise gap was below a fraction of the mean when last seen.
class IdleBlocks {
 public:
  explicit IdleBlocks(Index n) : gaps_(static_cast<std::size_t>(n), 0.0) {}

  /// `passes` were made before, in this round.
  void begin_pass(Index passes) {
    const double mean = sum_ / static_cast<double>(gaps_.size());
    sum_ = 0.0;
    is_full_ = passes % kPassesBetweenFullOnes == 0;
    idle_below_ = kIdleFraction * mean;
  }
  bool contain(Index i) const {
    return !is_full_ && gaps_[static_cast<std::size_t>(i)] < idle_below_;
  }
  void record(Index i, double gap) {
    gaps_[static_cast<std::size_t>(i)] = gap;
    sum_ += gap;
  }

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) { fields(*this, FieldReader(in)); }

 private:
  static constexpr double kIdleFraction = 0.3;
  static constexpr Index kPassesBetweenFullOnes = 4;

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(std::span(self.gaps_), self.sum_, self.idle_below_, self.is_full_);
  }

  std::vector<double> gaps_;  ///< when last seen
  double sum_ = 0.0;          ///< of those seen in the pass under way
  double idle_below_ = 0.0;
  bool is_full_ = true;  ///< the pass under way leaves nothing out
};

}  // namespace gapwise::internal
