#pragma once

#include <optional>

#include "solve/fields.h"
#include "solve/frank_wolfe/block_steps.h"
#include "solve/frank_wolfe/corner_state.h"
#include "solve/frank_wolfe/idle_blocks.h"
#include "solve/frank_wolfe/shuffled_blocks.h"

namespace gapwise::internal {

/// A pass of pairwise steps between remembered corners, without the oracle and without idle blocks.
class CachedPass {
 public:
  explicit CachedPass(const RunContext& context)
      : context_(context), blocks_(context.n()), idle_(context.n()) {}

  /// `passes` went before, in this round.
  void begin(Index passes, const CornerState& state) {
    idle_.begin_pass(passes);
    blocks_.begin(context_.rng, [&](Index i) { return !idle_.contain(i) && state.has_choice(i); });
  }
  bool is_over() const { return blocks_.is_over(); }

  /// One visit or, by records, a few.
  void visit_next(CornerState& state) {
    if (state.open_records()) return visit_records(state);
    const Index i = blocks_.next();
    if (const auto later = blocks_.ahead(1)) state.prefetch_place(*later);
    if (const auto soon = blocks_.ahead(0)) state.prefetch_corners(*soon);
    const std::optional<int> s = state.recall(i);
    if (!s) return;
    idle_.record(i, state.block().pairwise_gap(*s, state.block().worst()));
    state.use_recalled(*s);
    state.finish(pairwise_steps(state.block(), *s, context_.options.inner_steps));
  }

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) { fields(*this, FieldReader(in)); }

 private:
  /// So many visits by records are a step of the solver: few enough to be interrupted soon.
  static constexpr std::size_t kVisitsAtOnce = 256;

  void visit_records(CornerState& state) {
    now_.clear();
    while (now_.size() < kVisitsAtOnce && !is_over()) now_.push_back(blocks_.next());
    gaps_.resize(now_.size());
    state.visit_records(now_, gaps_);
    for (std::size_t k = 0; k < now_.size(); ++k) idle_.record(now_[k], gaps_[k]);
  }

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.blocks_, self.idle_);
  }

  RunContext context_;
  ShuffledBlocks blocks_;
  IdleBlocks idle_;
  std::vector<Index> now_;    ///< visited together
  std::vector<double> gaps_;  ///< of those
};

}  // namespace gapwise::internal
