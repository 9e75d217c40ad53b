#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "gapwise/types.h"

namespace gapwise {

/// Why a run ended: one name per cause. Not converging is not an error.
enum class StopReason {
  kConverged,  ///< the certified gap is at most the one asked for
  kMaxPasses,
  kMaxSeconds,
  kMaxOracleCalls,
  kInterrupted,  ///< the observer asked for it
  /// No block can move any more, and the gap is still above the one asked for; or an oracle that is
  /// not exact finds no larger gap than that, which proves nothing.
  kStalled,
};
constexpr std::array<std::string_view, 6> enum_names(StopReason) {
  return {"converged", "max_passes", "max_seconds", "max_oracle_calls", "interrupted", "stalled"};
}

/// What a solver minimises: lambda/2 |w|^2 plus the mean over the blocks of H_i (l1) or of H_i^2
/// (l2), where H_i = max_y H_i(y; w). A method that minimises nothing of the kind (none) is told
/// its value of l1.
enum class Objective { kL1, kL2, kNone };
constexpr std::array<std::string_view, 3> enum_names(Objective) {
  return {"l1", "l2", "none"};
}

/// Where a run stands. Values belong to the iterate that would be returned now (the average, if
/// averaging is on).
struct Progress {
  Index n = 0;                  ///< examples
  Index passes = 0;             ///< complete visits of all blocks
  Index steps = 0;              ///< block visits
  Index oracle_calls = 0;       ///< of the max oracle, gap passes included
  Index cached_steps = 0;       ///< steps without the oracle, by remembered outputs
  double seconds = 0.0;         ///< training time, gap passes included, observers not
  double oracle_seconds = 0.0;  ///< inside the max oracle, summed over threads

  /// Always a valid lower bound of the optimum; -infinity for methods that have none.
  double dual = -std::numeric_limits<double>::infinity();
  std::optional<double> primal;  ///< only after a gap pass at this very iterate
  /// There is a dual, and primal and gap are at least the true ones. Otherwise either the method
  /// has no dual, or the oracle was not exact and gave no upper bounds: then primal and gap are
  /// estimates, at most the true ones.
  bool is_certified = false;
  /// Primal, dual and gap are those of the relaxed problem, whose primal is nowhere below the exact
  /// one: outputs may be fractional (docs/design/factorwise.md).
  bool is_relaxed = false;
  /// The gap of the softened problem that a factorwise solver works on, at its last measurement.
  std::optional<double> soft_gap;
  std::optional<double> soft_primal;  ///< of the same problem, at the iterate of then
  /// Blocks that a kernel model rests on; only with kernel-bcfw, at measurements.
  std::optional<Index> support_structures;
  /// At measurements, for solvers that know the gap of each block: what the sum of the block gaps
  /// as last seen was just before, if all had been seen; and how uneven the true ones are, which is
  /// sqrt(n sum g_i^2) / sum g_i, chi of [OALDL16]: 1 if all are equal, sqrt(n) if there is but
  /// one.
  std::optional<double> foreseen_gap;
  std::optional<double> gap_unevenness;  ///< see `foreseen_gap`
  std::string decision;        ///< what a solver chose since the last pass, or holds in memory
  double estimated_gap = 0.0;  ///< sum of the block gaps as last seen; infinite until all were

  /// Calls of the max oracle per example.
  double effective_passes() const {
    return static_cast<double>(oracle_calls) / static_cast<double>(n);
  }
  /// Whether the method knows a lower bound of the optimum.
  bool has_dual() const { return std::isfinite(dual); }
  /// How far the primal is above the optimum at the most; none before a gap pass.
  std::optional<double> gap() const {
    if (!primal || !has_dual()) return std::nullopt;
    return std::max(0.0, *primal - dual);  // rounding may turn it round
  }
  /// Relative to the primal.
  std::optional<double> relative_gap() const {
    const std::optional<double> g = gap();
    if (!g) return std::nullopt;
    return *g <= 0.0 ? 0.0 : *g / *primal;
  }
};

/// What a run gives back.
struct Report {
  StopReason reason;      ///< why the run ended
  Progress progress;      ///< where it stood then
  double lambda;          ///< as a number
  std::vector<double> w;  ///< the weights
};

/// One run on examples some of whose labels are not known, and what its weights made of these
/// labels. Its certificate is of the labels as they were during this run.
struct LabelRound {
  Index number = 1;                            ///< from 1, which trains on what is known alone
  Index changed = 0;                           ///< labels that are others after it
  StopReason reason = StopReason::kConverged;  ///< why the run ended
  Progress progress;                           ///< where it stood then
};

/// How labels that are not known were completed before a fit.
struct LabelRounds {
  Index unknown = 0;               ///< labels
  std::vector<LabelRound> rounds;  ///< the fit itself is one more
  /// Whether the last of them changed no label.
  bool is_settled() const { return !rounds.empty() && rounds.back().changed == 0; }
};

}  // namespace gapwise
