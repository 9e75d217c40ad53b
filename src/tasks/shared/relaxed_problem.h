#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "gapwise/problem.h"

namespace gapwise::internal {

/// What the max oracle of a task looks for: the best output, or the best point of the local
/// polytope of its factor graph (docs/factor-graphs.md).
enum class Inference { kExact, kLp };
constexpr std::array<std::string_view, 2> enum_names(Inference) {
  return {"exact", "lp"};
}

/// How the relaxation is solved: as the structure of the graph allows (GraphDecoder::relax), or by
/// the simplex method whatever the graph is, from where it stood or from nowhere. For comparisons.
enum class RelaxationBy { kStructure, kSimplex, kColdSimplex };

/// The same problem over the local polytopes of its factor graphs, whose corners may be fractions
/// of outputs. It has no expectations, no projections, and no proofs.
std::unique_ptr<Problem> make_relaxed_problem(std::unique_ptr<Problem> exact);
/// The same of a problem that outlives it.
std::unique_ptr<Problem> make_relaxed_view(const Problem& exact,
                                           RelaxationBy by = RelaxationBy::kStructure);

}  // namespace gapwise::internal
