// Block-coordinate Frank-Wolfe that remembers the corners it has seen, [OALDL16]; primal and dual
// as in bcfw.cpp. A block is a convex combination alpha_i over its remembered corners (CornerSet),
// and every step is a step on that small simplex (BlockDual):
//
//   bcpfw          pairwise steps, from the worst active corner to the best one
//   bcafw          Frank-Wolfe or away steps, whichever gains more
//   bcfw --cache   Frank-Wolfe steps
//
// With --cache the oracle is only called when the remembered corners promise too little.

#include <algorithm>
#include <functional>

#include "solve/frank_wolfe/block_steps.h"
#include "solve/frank_wolfe/corner_solver.h"

namespace gapwise::internal {
namespace {

/// A step of a block towards its corner s, in the given visit of the run; returns what it gains.
using StepRule = std::function<double(BlockDual& block, int s, Index visit)>;

class CornerBcfw final : public CornerSolver {
 public:
  CornerBcfw(const RunContext& context, StepRule rule)
      : CornerSolver(context), rule_(std::move(rule)) {}

  bool step() override {
    const Index i = draw();
    const std::optional<int> hit = cache_hit(i);
    const int s = hit ? *hit : state_.ask(i);
    if (hit) state_.use_recalled(s);
    state_.finish(rule_(state_.block(), s, visits_));
    return ends_exact_pass();
  }
  std::optional<double> gap_unevenness() const override {
    return state_.averager().is_on() ? std::nullopt : state_.gaps().unevenness();
  }

 private:
  /// The best remembered corner of block i, if it promises enough: the hit criterion of [OALDL16]
  /// section 3.3, with F and nu.
  std::optional<int> cache_hit(Index i) {
    const TrainOptions& options = context_.options;
    if (options.cache == 0) return std::nullopt;
    const std::optional<int> s = state_.recall(i);
    if (!s || !state_.gaps().has_seen(i)) return std::nullopt;
    const double total = state_.measured_gap().value_or(1.0);  // losses are about 1
    const double share = options.cache_share / static_cast<double>(context_.n()) * total;
    const double enough = std::max(options.cache_fraction * state_.gaps()[i], share);
    return state_.block().gap(*s) >= enough ? s : std::nullopt;
  }

  StepRule rule_;
};

}  // namespace

std::unique_ptr<Solver> make_cached_bcfw(const RunContext& context) {
  if (context.options.step == Step::kLineSearch) {
    return std::make_unique<CornerBcfw>(
        context, [](BlockDual& block, int s, Index) { return block.frank_wolfe_step(s); });
  }
  const auto n = static_cast<double>(context.n());
  return std::make_unique<CornerBcfw>(context, [n](BlockDual& block, int s, Index visit) {
    return block.fixed_step(s, 2.0 * n / (static_cast<double>(visit) + 2.0 * n));
  });
}

std::unique_ptr<Solver> make_bcpfw(const RunContext& context) {
  const Index inner_steps = context.options.inner_steps;
  return std::make_unique<CornerBcfw>(context, [inner_steps](BlockDual& block, int s, Index) {
    return pairwise_steps(block, s, inner_steps);
  });
}

std::unique_ptr<Solver> make_bcafw(const RunContext& context) {
  return std::make_unique<CornerBcfw>(context, [](BlockDual& block, int s, Index) {
    return block.frank_wolfe_or_away_step(s, block.worst());
  });
}

}  // namespace gapwise::internal
