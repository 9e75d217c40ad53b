// The sequential dual method, [BSS11]: up to ten most violating pairs per visit, and after each
// exact pass a fixed number of sweeps over the remembered corners, unless one gains nothing. It is
// known from how others describe it, not line by line: what it does here is our own definition.

#include "solve/frank_wolfe/block_steps.h"
#include "solve/frank_wolfe/corner_solver.h"
#include "solve/frank_wolfe/shuffled_blocks.h"

namespace gapwise::internal {
namespace {

class Sdm final : public CornerSolver {
 public:
  explicit Sdm(const RunContext& context) : CornerSolver(context), sweep_(context.n()) {}

  bool step() override {
    if (sweep_.is_over()) {
      move(state_.ask(draw()));
      return ends_exact_pass() && !begin_sweep(context_.options.sweeps);
    }
    const std::optional<int> s = state_.recall(sweep_.next());
    if (s) {
      state_.use_recalled(*s);
      move(*s);
    }
    const bool is_done = state_.dual() <= dual_before_;
    return sweep_.is_over() && (is_done || !begin_sweep(sweeps_left_ - 1));
  }

  void save(StateWriter& out) const override { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) override { fields(*this, FieldReader(in)); }

 private:
  static constexpr Index kMostPairs = 10;

  void move(int s) {
    state_.finish(corrective_steps(state_.block(), s, kMostPairs, Partner::kWorst));
  }

  /// The first of the sweeps left; false if there are none.
  bool begin_sweep(Index sweeps_left) {
    sweeps_left_ = sweeps_left;
    if (sweeps_left == 0) return false;
    dual_before_ = state_.dual();
    sweep_.begin(context_.rng, [](Index) { return true; });
    return true;
  }

  template <class Self>
  static void fields(Self& self, auto&& each) {
    CornerSolver::fields(self, each);
    each(self.sweep_, self.sweeps_left_, self.dual_before_);
  }

  ShuffledBlocks sweep_;
  Index sweeps_left_ = 0;  ///< with the one under way
  double dual_before_ = 0.0;
};

}  // namespace

GAPWISE_SOLVER(sdm, Sdm)

}  // namespace gapwise::internal
