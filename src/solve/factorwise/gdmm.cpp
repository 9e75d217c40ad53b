// Greedy direction method of multipliers on the relaxed problem, [YHZRD16]:
// docs/design/factorwise.md. Departures: each example is swept as a whole, one pair move per region
// and sweep, which is faster than more moves and than random regions; multipliers follow the
// residual right after the sweeps of a visit, more slowly where it grows; rho comes from a pilot
// unless it is given.

#include "solve/factorwise/factorwise_solver.h"
#include "solve/factorwise/gdmm_run.h"
#include "solve/factorwise/pilot.h"

namespace gapwise::internal {
namespace {

class Gdmm final : public SoftSolverOf<Gdmm> {
 public:
  explicit Gdmm(const RunContext& with)
      : SoftSolverOf(with),
        run_(with, with.options.rho.value_or(1.0)),
        has_rho_(with.options.rho.has_value()) {}

  template <class Self>
  static void own_fields(Self& self, auto&& each) {
    each(self.run_, self.has_rho_);
  }

 private:
  SoftDual& soft() override { return run_.soft(); }
  const SoftDual& soft() const override { return run_.soft(); }
  void end_pass() override { run_.end_pass(); }

  double visit(MeteredOracle& oracle, Index i) override {
    if (!has_rho_) run_.soft().set_rho(pilot_rho(context()));
    has_rho_ = true;
    return run_.visit(oracle, i);
  }

  GdmmRun run_;
  bool has_rho_;
};

}  // namespace

GAPWISE_SOLVER(gdmm, Gdmm)

}  // namespace gapwise::internal
