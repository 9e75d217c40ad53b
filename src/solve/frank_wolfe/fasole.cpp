// Fasole, [F14]: up to ten pairs per visit, chosen by SDA-WSS2, and blocks with a small gap are
// left out until the next gap pass. It is known from how others describe it, not line by line: what
// it does here is our own definition.

#include "solve/frank_wolfe/block_steps.h"
#include "solve/frank_wolfe/corner_solver.h"

namespace gapwise::internal {
namespace {

class Fasole final : public CornerSolver {
 public:
  explicit Fasole(const RunContext& context) : CornerSolver(context) {}

  bool step() override {
    const Index i = draw();
    if (has_small_gap(i)) {
      state_.leave_out();
    } else {
      const int s = state_.ask(i);
      state_.finish(corrective_steps(state_.block(), s, kMostPairs, Partner::kBest));
    }
    return ends_exact_pass();
  }

 private:
  static constexpr Index kMostPairs = 10;
  static constexpr double kSmall = 0.1;  ///< a gap below this share of the mean

  bool has_small_gap(Index i) const {
    if (!state_.measured_gap()) return false;
    return state_.gaps()[i] < kSmall * *state_.measured_gap() / static_cast<double>(context_.n());
  }
};

}  // namespace

GAPWISE_SOLVER(fasole, Fasole)

}  // namespace gapwise::internal
