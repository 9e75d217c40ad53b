#pragma once

#include <memory>

#include "gapwise/problem.h"

namespace gapwise::internal {

/// `inner` with a max oracle (and plain decode, expectation and projection) that takes
/// `milliseconds` longer per call, to see what solvers do when the oracle is slow. Answers, scores
/// and the fingerprint are those of `inner`, which outlives the result; the oracle cost counts the
/// delay. Throws OptionError unless the delay is finite and >= 0.
std::unique_ptr<Problem> make_delayed_problem(const Problem& inner, double milliseconds);

}  // namespace gapwise::internal
