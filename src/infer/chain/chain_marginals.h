#pragma once

#include <span>
#include <vector>

#include "infer/viterbi.h"

namespace gapwise::internal {

/// Scratch memory of the passes forward and backward, reused between calls.
struct MarginalScratch {
  std::vector<double> forward;
  std::vector<double> backward;
};

/// best[t * labels + k]: the score of the best labelling with label k at position t, minus infinity
/// if there is none.
void max_marginals(const ChainScores& scores, MarginalScratch& scratch, std::span<double> best);

/// p[t * labels + k]: how likely label k is at position t if labelling y has a probability
/// proportional to exp(score of y / temperature). Scores of minus infinity are allowed, but some
/// labelling must score more. Returns temperature * log sum_y exp(score of y / temperature).
double label_probabilities(const ChainScores& scores, double temperature, MarginalScratch& scratch,
                           std::span<double> p);

}  // namespace gapwise::internal
