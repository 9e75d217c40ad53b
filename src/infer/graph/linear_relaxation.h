#pragma once

#include <memory>
#include <vector>

#include "infer/graph/plan.h"

namespace gapwise::internal {

/// Where the simplex method stood; empty: nowhere yet.
using LinearBasis = std::vector<unsigned char>;

/// The linear relaxation of any factor graph by the simplex method (Clp): a best vertex of the
/// local polytope. One column for each state and joint state; rows say that the states of a
/// variable add up to 1 and that each factor's joint states add up to those of its variables.
/// Owns the program of the graph it was last asked about, which must live until the next call.
class LinearRelaxation {
 public:
  LinearRelaxation();
  ~LinearRelaxation();
  LinearRelaxation(LinearRelaxation&&) noexcept;
  LinearRelaxation& operator=(LinearRelaxation&&) noexcept;

  /// Starts from `basis`, of an earlier run on a graph of this shape, and leaves there where it
  /// ends. The bound is what the multipliers of the rows prove, whatever the tolerances of the
  /// method; is_exact if it is met up to rounding. Beliefs are fractions with denominators of up to
  /// 16, or else those of an assignment near to the vertex.
  GraphResult run(const GraphPlan& plan, const GraphScores& scores, LinearBasis& basis,
                  Beliefs& out);

 private:
  struct Program;
  std::unique_ptr<Program> program_;
};

}  // namespace gapwise::internal
