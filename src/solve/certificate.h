#pragma once

#include <functional>
#include <vector>

#include "solve/solver.h"

namespace gapwise::internal {

/// The mean over the blocks of max_y H_i(y; w), or of its square for l2: the empirical part of the
/// primal.
struct MeanViolation {
  double value = 0.0;    ///< if not a bound, at most the true mean
  bool is_bound = true;  ///< every block was exact or came with an upper bound

  /// Call for every block, in any order and from any thread, then `finish`.
  explicit MeanViolation(Index n, Objective objective = Objective::kL1)
      : objective_(objective), blocks_(static_cast<std::size_t>(n)) {}
  /// Records block i, whose corner has H_i = h and whose maximum is known to be at least `known`
  /// (the truth has H_i = 0); returns the largest H_i seen, which is at most what enters a mean
  /// that is a bound.
  double record(Index i, double h, const Corner& corner, double known = 0.0);
  /// Sums in block order, so that the result does not depend on who recorded what when.
  void finish();

 private:
  struct Block {
    double found;
    double bound;
    bool is_bound;
  };
  Objective objective_;
  std::vector<Block> blocks_;
};

/// How a solver takes part in a gap pass. Calls for different blocks run at the same time, so each
/// may only write what belongs to its block. What needs the scores of all parts is asked where the
/// oracle was, and writes nothing; what follows from an answer is told to `see`.
struct GapPass {
  using AtScores = std::function<double(Index i, const PartScores& theta)>;

  /// An answer of the oracle.
  struct Seen {
    Index i;
    const Corner& corner;
    double h;      ///< H_i of the corner; below 0 if the truth is better
    double found;  ///< the largest H_i that is known with it
    double gap;    ///< what `gap` said
  };

  Objective objective = Objective::kL1;
  /// Some H_i(y; w), or a mean of them, that the solver knows. An oracle that is not exact may have
  /// missed it; one that says it is may not, and that is an OracleError.
  AtScores known = {};
  /// The same for what is only there to be compared with, and enters no estimate.
  AtScores seen = {};
  /// How far where the solver stands is below `found`, the largest H_i known of the block.
  std::function<double(Index i, const PartScores& theta, double found)> gap = {};
  /// Sees every answer of the oracle.
  std::function<void(const Seen& seen)> see = {};
};

/// The certificate of w: a pass of the max oracle over all blocks gives the primal
///   P(w) = lambda/2 |w|^2 + mean of max_y H_i(y; w), or of its square,
/// and `dual` is the value of any dual point, kNoDual if there is none. It is certified if there is
/// a dual and every block was exact or came with an upper bound, which then enters the mean. Every
/// certificate of every solver is made here. |w| is what the oracle says it is, and sums run in
/// block order: nothing depends on the number of threads.
Measurement certify(const RunContext& context, Weights w, double dual, const GapPass& pass = {});

/// The certificate of a w whose primal is known already, `is_bound` or not, with a dual of now. A
/// primal that claims to be a bound and is below a dual by more than rounding proves that the
/// oracle missed outputs: OracleError. Every certificate goes through here.
Measurement paired(const RunContext& context, Weights w, const Measurement& known, double dual,
                   Objective objective = Objective::kL1);

}  // namespace gapwise::internal
