// mpbcfw: the multi-plane method of Shah, Kolmogorov and Lampert, with pairwise steps. After each
// exact pass come passes over the remembered corners, as long as they pay.

#include "solve/frank_wolfe/block_steps.h"
#include "solve/frank_wolfe/cached_pass.h"
#include "solve/frank_wolfe/cached_schedule.h"
#include "solve/frank_wolfe/corner_solver.h"

namespace gapwise::internal {
namespace {

class MultiPlane final : public CornerSolver {
 public:
  explicit MultiPlane(const RunContext& context)
      : CornerSolver(context), cached_(context), schedule_(context.options.max_cached_passes) {}

  bool step() override {
    if (cached_.is_over()) {
      const int s = state_.ask(draw());
      state_.finish(pairwise_steps(state_.block(), s, context_.options.inner_steps));
      if (!ends_exact_pass()) return false;
      if (!schedule_.begin_round(state_.now())) return true;
    } else {
      cached_.visit_next(state_);
      if (!cached_.is_over()) return false;
      if (!schedule_.next(state_.now())) return true;
    }
    cached_.begin(schedule_.passes(), state_);
    return cached_.is_over();
  }

  void save(StateWriter& out) const override { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) override { fields(*this, FieldReader(in)); }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    CornerSolver::fields(self, each);
    each(self.cached_, self.schedule_);
  }

  CachedPass cached_;
  CachedSchedule schedule_;
};

}  // namespace

GAPWISE_SOLVER(mpbcfw, MultiPlane)

}  // namespace gapwise::internal
