#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "gapwise/problem.h"

namespace gapwise::internal::testing {

/// Every reason for which a solver may refuse a problem with plain weights: what it needs and the
/// problem lacks. Written out here, so that neither a solver that refuses too much nor one that
/// refuses too little goes unnoticed.
using Refusal = std::pair<std::string_view, Capability>;
inline const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> all{
      {"kernel-bcfw", Capability::kKernelInputs},   {"eg", Capability::kExpectations},
      {"excessive-gap", Capability::kExpectations}, {"extragradient", Capability::kMeans},
      {"soft-bcfw", Capability::kFactorGraphs},     {"gdmm", Capability::kFactorGraphs},
      {"dlpw", Capability::kFactorGraphs},          {"smooth-dlpw", Capability::kFactorGraphs}};
  return all;
}

/// Whether a solver steps over the factors of a graph.
inline bool is_factorwise(std::string_view solver) {
  return std::find(refusals().begin(), refusals().end(),
                   Refusal{solver, Capability::kFactorGraphs}) != refusals().end();
}

inline bool may_refuse(std::string_view solver, const Problem& problem) {
  return std::any_of(refusals().begin(), refusals().end(), [&](const Refusal& refusal) {
    return refusal.first == solver && !offers(problem, refusal.second);
  });
}

}  // namespace gapwise::internal::testing
