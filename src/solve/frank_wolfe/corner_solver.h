#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "solve/frank_wolfe/corner_state.h"
#include "solve/frank_wolfe/corner_states.h"
#include "solve/frank_wolfe/exact_batch.h"
#include "solve/sampler.h"
#include "solve/solver.h"

namespace gapwise::internal {

/// What the solvers over a CornerState have in common: exact passes, in which every visit draws the
/// next block, and what a solver tells of itself. How they visit a block and what follows an exact
/// pass is their own.
class CornerSolver : public Solver {
 public:
  Measurement gap_pass() override { return state_.gap_pass(); }
  double estimated_gap() const override { return state_.gaps().estimate(); }
  std::vector<double> block_gaps() const override { return state_.gaps().values(); }
  double dual() const override { return state_.point().dual(); }
  Index cached_steps() const override { return state_.cached_steps(); }
  void result(std::vector<double>& w) const override { state_.result(w); }
  bool has_warm_start() const override { return true; }
  void start_from(const Start& start) override {
    if (start.corners != nullptr) {
      state_.put(*start.corners, start.share);
    } else {
      state_.put(mixtures_of(start));
    }
  }
  std::optional<DualMixtures> mixtures() const override { return state_.mixtures(); }
  const std::vector<CornerSet>* corners() const override { return &state_.corners(); }
  std::optional<DualOutputs> outputs() const override {
    if (!context_.options.keep_outputs) return std::nullopt;
    return outputs_of(state_.corners());
  }
  void save(StateWriter& out) const override { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) override { fields(*this, FieldReader(in)); }

 protected:
  /// Corners without weight that were of no use for `max_age` passes are forgotten.
  explicit CornerSolver(const RunContext& context, std::int32_t max_age = 10)
      : context_(context),
        state_(context, max_age),
        sampler_(context.options.sampling, context.n(), context.options.order),
        batch_(exact_batch(context.problem)) {}

  /// The block of the next visit of an exact pass.
  Index draw() { return sampler_.next(context_.rng, state_.gaps()); }
  /// Looks at that block and returns the corner to go to. Where calls of the oracle are dear, a few
  /// blocks share one w, so that all threads have something to do.
  int ask_next() {
    if (batch_ == 1) return state_.ask(draw());
    if (!state_.has_answers()) {
      const Index left = context_.n() - visits_ % context_.n();
      blocks_.resize(static_cast<std::size_t>(std::min(batch_, left)));
      for (Index& i : blocks_) i = draw();
      state_.ask_ahead(blocks_);
    }
    return state_.use_answer();
  }
  /// After such a visit: whether it was the last one of its pass.
  bool ends_exact_pass() {
    if (++visits_ % context_.n() != 0) return false;
    state_.next_pass();
    return true;
  }

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.state_, self.sampler_, self.visits_);
  }

  RunContext context_;
  CornerState state_;
  Sampler sampler_;
  Index visits_ = 0;  ///< of exact passes

 private:
  Index batch_;  ///< visits of exact passes that share one w
  std::vector<Index> blocks_;
};

}  // namespace gapwise::internal
