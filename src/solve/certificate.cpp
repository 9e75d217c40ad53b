#include "solve/certificate.h"

#include <algorithm>
#include <cmath>

#include "core/sums.h"

namespace gapwise::internal {

double MeanViolation::record(Index i, const PartScores& theta, const Corner& corner, double known) {
  const double found = std::max({0.0, known, violation(corner.loss, corner.parts, theta)});
  const double bound = corner.upper_bound ? std::max(found, *corner.upper_bound) : found;
  blocks_[static_cast<std::size_t>(i)] = {found, bound, corner.is_exact || corner.upper_bound};
  return found;
}

void MeanViolation::finish() {
  is_bound = std::all_of(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.is_bound; });
  std::vector<double> values;
  values.reserve(blocks_.size());
  for (const Block& block : blocks_) {
    const double h = is_bound ? block.bound : block.found;
    values.push_back(objective_ == Objective::kL2 ? h * h : h);
  }
  value = ordered_sum(values) / static_cast<double>(blocks_.size());
}

Measurement certify(const RunContext& context, Weights w, double dual, const GapPass& pass) {
  MeanViolation mean(context.n(), pass.objective);
  context.team.visit_all(w, [&](Index i, const PartScores& theta, const Corner& corner) {
    const double known = corner.is_exact || !pass.known ? 0.0 : pass.known(i, theta);
    const double found = mean.record(i, theta, corner, known);
    if (pass.see) pass.see(i, theta, corner, found);
  });
  mean.finish();
  const double primal = 0.5 * context.lambda * context.team.leader().squared_length(w) + mean.value;
  return {primal, dual, mean.is_bound && std::isfinite(dual)};
}

}  // namespace gapwise::internal
