#include "core/oracle_contract.h"

#include <fmt/format.h>

#include <cmath>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

double magnitude(const PartScores& theta, const Corner& corner) {
  double sum = corner.loss;
  for (const Part& part : corner.parts) sum += std::abs(part.value * theta[part.id]);
  return sum;
}

bool is_finite(const Corner& corner) {
  if (!std::isfinite(corner.loss) || (corner.upper_bound && std::isnan(*corner.upper_bound))) {
    return false;
  }
  return std::all_of(corner.parts.begin(), corner.parts.end(),
                     [](const Part& part) { return std::isfinite(part.value); });
}

}  // namespace

std::string usual_causes() {
  return "Usual causes: the sign of psi, which is phi(truth) - phi(y); a loss that is left out of "
         "the maximisation, or is not the one reported; a solver that is not exact (set is_exact = "
         "false, or give an upper_bound that holds); in a run that was resumed, a checkpoint that "
         "somebody changed";
}

double rounding_of(const PartScores& theta, const Corner& corner) {
  double most = 1.0;
  for (const Part& part : corner.parts) most = std::max(most, std::abs(part.value));
  double scores = 0.0;
  for (const double score : theta.values()) scores += std::abs(score);
  return kRounding * (magnitude(theta, corner) + most * scores);
}

void fail_ids(Index i, const PartScores& theta, const Corner& corner) {
  throw OracleError(fmt::format(
      "the oracle returned parts {} to {} for example {} (counted from 0), which has parts 0 to {}",
      corner.parts[0].id, corner.parts[corner.parts.size() - 1].id, i,
      std::ssize(theta.values()) - 1));
}

void check_known(Index i, const PartScores& theta, const Corner& corner, double most,
                 double known) {
  if (!is_finite(corner)) {
    throw OracleError(fmt::format(
        "the oracle returned a loss, a part or an upper bound that is not finite for example {} "
        "(counted from 0)",
        i));
  }
  const double excess = known - most;
  // Nearly always the numbers at hand suffice; all scores of a block may be many.
  if (excess <= kRounding * (magnitude(theta, corner) + std::abs(known))) return;
  const double rounding = rounding_of(theta, corner) + kRounding * std::abs(known);
  // Scores beyond what a double holds are no fault of the oracle; the run tells of them.
  if (!std::isfinite(rounding) || excess <= rounding) return;
  const bool is_bound = corner.upper_bound && *corner.upper_bound == most;
  throw OracleError(fmt::format(
      "the oracle broke its contract for example {} (counted from 0): it {} {}, but {} {} at the "
      "same weights. {}",
      i,
      is_bound ? "says that no L(y) - <w, psi(y)> exceeds"
               : "claims to be exact with L(y) - <w, psi(y)> =",
      most, known == 0.0 ? "the truth has" : "an output that it returned has at least", known,
      usual_causes()));
}

}  // namespace gapwise::internal
