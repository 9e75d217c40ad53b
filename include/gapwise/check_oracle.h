#pragma once

#include <cstdint>
#include <functional>

#include "gapwise/problem.h"

namespace gapwise {

/// How thoroughly to test an oracle.
struct OracleCheckOptions {
  Index examples = 100;    ///< to ask about, at the most; spread over all of them
  Index points = 8;        ///< random weights to ask at, of several lengths, beside w = 0
  std::uint64_t seed = 1;  ///< of the weights
  /// L_i(y) by other means than the oracle's, if there are any. Without it nobody can tell an
  /// oracle that counts its loss twice from one of another loss.
  std::function<double(Index i, const Corner& y)> loss = {};
  /// Outputs may have the features of the truth and a loss all the same. Otherwise that means that
  /// the loss of the truth is not 0.
  bool allows_twins_of_truth = false;
};

/// What was tested.
struct OracleCheck {
  Index examples = 0;      ///< that were asked about
  Index calls = 0;         ///< of the oracle
  Index exact = 0;         ///< answers that claimed to be exact
  Index with_bound = 0;    ///< others, which came with an upper bound
  Index truths_found = 0;  ///< examples at which the truth could be made to win, to see its loss
};

/// Tests what a problem promises of its oracles; OracleError with example and values for the first
/// promise that is broken:
///   - scores, scatter, norms and inner products belong to one linear map, so that the score of an
///     output is <w, psi(y)>;
///   - parts ascend, numbers are finite, losses are >= 0, 0 for the truth, the same for the same
///     output whoever returns it, and those of `loss` or of Oracle::part_costs;
///   - the same question has the same answer, from this oracle and from another one;
///   - no answer that claims to be exact is worse than the truth or than any output returned for
///     other weights, and no upper bound is below one of these.
/// Passing proves nothing: an oracle that always leaves out the same outputs agrees with itself.
OracleCheck check_oracle(const Problem& problem, const OracleCheckOptions& options = {});

}  // namespace gapwise
