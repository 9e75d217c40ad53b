#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gapwise/problem.h"

namespace gapwise::internal {

/// `inner`, which outlives the result, with these weights of its blocks in the objective
/// (Problem::block_weights). OptionError unless there is a positive number for each.
std::unique_ptr<Problem> make_weighted_problem(const Problem& inner, std::vector<double> weights);

/// What an objective makes of H_i: itself, or its square.
enum class Hinge { kPlain, kSquared };

/// A problem without weights of blocks whose objective is that of `inner` with the weights c_i:
/// features and losses of block i are c_i times as large, or its root for the squared hinge, which
/// squares both. `inner` outlives the result; `weights` must have come from its blocks.
std::unique_ptr<Problem> make_scaled_problem(const Problem& inner, std::span<const double> weights,
                                             Hinge hinge);

/// A problem as its objective sees it: the same one, or scaled if its blocks have weights.
class ObjectiveForm {
 public:
  /// `problem` outlives this.
  ObjectiveForm(const Problem& problem, Hinge hinge)
      : ObjectiveForm(problem, problem.block_weights(), hinge) {}
  /// Another form of a problem whose blocks have these weights.
  ObjectiveForm(const Problem& form, std::span<const double> weights, Hinge hinge)
      : scaled_(weights.empty() ? nullptr : make_scaled_problem(form, weights, hinge)),
        problem_(scaled_ ? *scaled_ : form) {}

  const Problem& problem() const { return problem_; }

 private:
  std::unique_ptr<Problem> scaled_;
  const Problem& problem_;
};

}  // namespace gapwise::internal
