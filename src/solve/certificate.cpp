#include "solve/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/oracle_contract.h"
#include "core/sums.h"
#include "gapwise/errors.h"

namespace gapwise::internal {

namespace {

/// The truth has H_i = 0.
double largest_seen(double h, double known) {
  return std::max({0.0, known, h});
}

}  // namespace

double MeanViolation::record(Index i, double h, const Corner& corner, double known) {
  const double found = largest_seen(h, known);
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

namespace {

/// How far rounding may move the mean of the largest H_i at w, or of its square. Nobody needs to
/// know that as long as the primal is not below the dual, so no call of it is counted.
double rounding_of_mean(const RunContext& context, Weights w, Objective objective) {
  const auto rounding_at = [&](Index i, MeteredOracle& oracle) {
    PartScores theta;
    Corner corner;
    oracle.score(i, w, theta);
    oracle.decode(i, theta, Augment::kLoss, corner);
    const double rounding = rounding_of(theta, corner);
    const double h = std::max(0.0, violation(corner.loss, corner.parts, theta));
    return objective == Objective::kL2 ? rounding * (2.0 * h + rounding) : rounding;
  };
  const std::vector<double> roundings = context.team.measure_each(context.n(), 1, rounding_at);
  return ordered_sum(roundings) / static_cast<double>(context.n());
}

}  // namespace

Measurement certify(const RunContext& context, Weights w, double dual, const GapPass& pass) {
  MeanViolation mean(context.n(), pass.objective);
  enum Fact : std::size_t { kH, kKnown, kGap };
  OracleTeam::Visit visit;
  visit.look = [&](Index i, const PartScores& theta, const Corner& corner,
                   OracleTeam::Facts& facts) {
    const double known = pass.known ? pass.known(i, theta) : 0.0;
    check_against(i, theta, corner, pass.seen ? std::max(known, pass.seen(i, theta)) : known);
    facts[kH] = violation(corner.loss, corner.parts, theta);
    facts[kKnown] = corner.is_exact ? 0.0 : known;
    const double found = largest_seen(facts[kH], facts[kKnown]);
    if (pass.gap) facts[kGap] = pass.gap(i, theta, found);
  };
  visit.take = [&](std::size_t, Index i, const Corner& corner, const OracleTeam::Facts& facts) {
    const double found = mean.record(i, facts[kH], corner, facts[kKnown]);
    if (pass.see) pass.see({i, corner, facts[kH], found, facts[kGap]});
  };
  context.team.visit_all(w, visit);
  mean.finish();
  const double primal = 0.5 * context.lambda * context.team.leader().squared_length(w) + mean.value;
  return paired(context, w, {primal, dual, mean.is_bound}, dual, pass.objective);
}

Measurement paired(const RunContext& context, Weights w, const Measurement& known, double dual,
                   Objective objective) {
  const bool is_certified = known.is_certified && std::isfinite(dual);
  if (is_certified && known.primal < dual) {
    const double length = context.lambda * context.team.leader().squared_length(w);
    const double rounding = kRounding * (std::abs(known.primal) + std::abs(dual) + length);
    if (dual - known.primal > rounding &&
        dual - known.primal > rounding + rounding_of_mean(context, w, objective)) {
      throw OracleError(fmt::format(
          "the oracle broke its contract: by its answers the primal is {}, which is below the dual "
          "{} of outputs that it returned earlier, so it claims to be exact and misses outputs. "
          "{}",
          known.primal, dual, usual_causes()));
    }
  }
  return {known.primal, dual, is_certified};
}

}  // namespace gapwise::internal
