#include "solve/factorwise/factorwise_solver.h"

#include <fmt/format.h>

namespace gapwise::internal {

FactorwiseSolver::FactorwiseSolver(const RunContext& context)
    : context_(context),
      certificate_(context),
      sampler_(context.options.sampling, context.n(), context.options.order),
      gaps_(context.n(), context.options.sampling == Sampling::kGap) {}

bool FactorwiseSolver::step() {
  const Index i = sampler_.next(context_.rng, gaps_);
  gaps_.record(i, visit(context_.team.leader(), i));
  ++k_;
  if (k_ % context_.n() != 0) return false;
  end_pass();
  return true;
}

Measurement FactorwiseSolver::gap_pass() {
  remove_drift(context_.team.leader());
  const Measurement measured = certificate_.measure(here());
  for (Index i = 0; i < context_.n(); ++i) gaps_.record(i, certificate_.soft_gap(i));
  return measured;
}

void FactorwiseSolver::result(std::vector<double>& w) const {
  const Weights best = certificate_.best_w();
  if (best.empty()) return iterate(w);
  w.assign(best.begin(), best.end());
}

std::string SoftSolver::decision() const {
  return fmt::format("rho {:.3g}, residual {:.2g}", soft().rho(), soft().squared_residual());
}

}  // namespace gapwise::internal
