#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "gapwise/problem.h"

namespace gapwise::internal {

// An exact corner promises that no output of its block has a larger H_i(y; w), and an upper bound
// promises that none exceeds it. One output that does proves the promise broken. What follows looks
// for such outputs among those that are known anyway; docs/design/oracle.md tells what that finds.

/// Rounding of scores, decoders and sums, relative to the numbers they are made of: about 4 million
/// units in the last place, where a decoder that adds N scores in any order needs N.
inline constexpr double kRounding = 1e-9;

/// The largest H_i that any output of the block may have, by what `corner` says of itself; infinite
/// if it promises nothing. `found` is its own H_i.
inline double promised_most(const Corner& corner, double found) {
  const double most = corner.is_exact ? found : std::numeric_limits<double>::infinity();
  return corner.upper_bound ? std::min(most, *corner.upper_bound) : most;
}

/// How far rounding may move any H_i of the block: relative to the loss of the corner and to the
/// scores of all parts. That also covers the losses of other outputs, because an exact H_i is at
/// least each loss minus scores.
double rounding_of(const PartScores& theta, const Corner& corner);

/// Throws OracleError if some output of block i is known to have H_i >= `known`, `most` was
/// promised for `corner`, and rounding does not explain the difference; likewise if the corner
/// holds a number that is not finite.
void check_known(Index i, const PartScores& theta, const Corner& corner, double most, double known);

[[noreturn]] void fail_ids(Index i, const PartScores& theta, const Corner& corner);
/// Throws OracleError if a part of the corner has no score.
inline void check_ids(Index i, const PartScores& theta, const Corner& corner) {
  const Parts& parts = corner.parts;
  if (parts.empty()) return;
  const Index last = parts[parts.size() - 1].id;
  if (parts[0].id < 0 || last >= std::ssize(theta.values())) fail_ids(i, theta, corner);
}

/// The same for what comes with every answer of the max oracle: the truth, which has H_i = 0, and
/// the corner itself.
inline void check_answer(Index i, const PartScores& theta, const Corner& corner) {
  check_ids(i, theta, corner);
  const double found = violation(corner.loss, corner.parts, theta);
  const double most = promised_most(corner, found);
  const double known = std::max(0.0, found);
  if (!(known <= most)) check_known(i, theta, corner, most, known);
}

/// The same for the best of other outputs, or a mixture of some.
inline void check_against(Index i, const PartScores& theta, const Corner& corner, double known) {
  const double most = promised_most(corner, violation(corner.loss, corner.parts, theta));
  if (!(known <= most)) check_known(i, theta, corner, most, known);
}

/// What is usually wrong, for messages.
std::string usual_causes();

}  // namespace gapwise::internal
