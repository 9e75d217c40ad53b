#pragma once

#include <optional>
#include <span>

#include "core/parallel.h"
#include "core/ranks.h"
#include "gapwise/problem.h"

namespace gapwise::internal {

/// Mean loss of the plain decode over the blocks, [notation: L(y_i, yhat_i)], each times the weight
/// of its block if there are weights; none if there is no plain decode. `ranks`, unless null, share
/// the work.
std::optional<double> train_loss(const Problem& problem, std::span<const double> weights, Weights w,
                                 const Threads& threads, Ranks* ranks = nullptr);

/// Of a relaxed problem: how many of the most violated corners at w are outputs, and no mixtures.
Index tight_relaxations(const Problem& problem, Weights w, const Threads& threads,
                        Ranks* ranks = nullptr);

}  // namespace gapwise::internal
