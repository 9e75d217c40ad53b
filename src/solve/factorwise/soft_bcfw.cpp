// Block-coordinate Frank-Wolfe on the softened relaxation, [MSH15] Algorithm 1. Blocks are single
// variables and factors; docs/design/factorwise.md has the problem and its dual.
//
// What the paper calls rho is scaled by the number of examples here, so that more examples of the
// same kind leave the coupling as it is. To get from the softened to the relaxed problem, rho falls
// (continuation) or multipliers take over what the coupling pays for (augmented Lagrangian): both
// whenever the gap of the softened problem is small beside the price of disagreement.

#include <algorithm>

#include "solve/factorwise/factorwise_solver.h"

namespace gapwise::internal {
namespace {

constexpr double kDefaultRho = 1.0;
constexpr double kLeastRho = 1e-4;
constexpr double kFall = 0.5;         ///< of rho, in a continuation
constexpr double kSmallBeside = 0.5;  ///< a gap, beside the price of disagreement

class SoftBcfw final : public SoftSolverOf<SoftBcfw> {
 public:
  explicit SoftBcfw(const RunContext& with)
      : SoftSolverOf(with),
        soft_(with, RegionMove::kFrankWolfe, with.options.rho.value_or(kDefaultRho)) {}

  template <class Self>
  static void own_fields(Self& self, auto&& each) {
    each(self.soft_);
  }

 private:
  SoftDual& soft() override { return soft_; }
  const SoftDual& soft() const override { return soft_; }
  double visit(MeteredOracle& oracle, Index i) override { return soft_.sweep(oracle, i); }

  /// Where the softened problem is solved well enough, on to a harder one.
  void end_pass() override {
    if (seen_gap() > kSmallBeside * soft_.penalty()) return;
    switch (context().options.coupling) {
      case Coupling::kMultipliers:
        return soft_.raise_multipliers(1.0);
      case Coupling::kContinuation:
        return soft_.set_rho(std::max(kLeastRho, kFall * soft_.rho()));
      case Coupling::kFixed:
        return;
    }
  }

  SoftDual soft_;
};

}  // namespace

GAPWISE_SOLVER(soft_bcfw, SoftBcfw)

}  // namespace gapwise::internal
