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
  void begin(Index passes) {
    idle_.begin_pass(passes);
    blocks_.begin(context_.rng);
  }
  bool is_over() const { return blocks_.is_over(); }

  void visit_next(CornerState& state) {
    const Index i = blocks_.next(state.corners());
    if (idle_.contain(i)) return;
    const std::optional<int> s = state.recall(i);
    if (!s) return;
    idle_.record(i, state.block().pairwise_gap(*s, state.block().worst()));
    state.use_recalled(*s);
    state.finish(pairwise_steps(state.block(), *s, context_.options.inner_steps));
  }

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) { fields(*this, FieldReader(in)); }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.blocks_, self.idle_);
  }

  RunContext context_;
  ShuffledBlocks blocks_;
  IdleBlocks idle_;
};

}  // namespace gapwise::internal
