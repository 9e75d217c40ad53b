#pragma once

#include <vector>

#include "solve/factorwise/message_sweep.h"
#include "solve/factorwise/region_scores.h"
#include "solve/factorwise/rounding.h"
#include "solve/factorwise/standpoint.h"
#include "solve/solver.h"

namespace gapwise::internal {

/// The two-sided certificate of the relaxed problem, whose outputs are the points of the local
/// polytope of each block (docs/design/factorwise.md):
///   from above   at w, any messages delta bound the largest H_i over the polytope by
///                sum_v max_s [theta_v + cost + sum_c delta_cv] + sum_c max_y [theta_c - sum_v
///                delta_cv] less the score of the truth; those of the softened problem are first
///                made better by a few sweeps
///   from below   beliefs rounded into the polytope are a dual point, whatever they were before
/// Keeps the best of both that were ever seen, and the weights of the former.
class RelaxedCertificate {
 public:
  explicit RelaxedCertificate(const RunContext& context);

  Measurement measure(const Standpoint& here);

  /// The best lower bound so far; at first that of the truth, 0.
  double dual() const { return dual_; }
  /// The weights with the best primal so far; empty before the first measurement.
  Weights best_w() const { return best_w_; }
  /// Of the softened problem, by the last measurement: the sum of the gaps of all regions. Of the
  /// smoothed one: its primal less the dual, entropies included, of the rounded beliefs.
  double soft_gap() const { return soft_gap_; }
  /// The gap of block i under the messages, over n.
  double soft_gap(Index i) const { return soft_gaps_[static_cast<std::size_t>(i)]; }
  /// Its primal at the last measurement.
  double soft_primal() const { return soft_primal_; }
  /// The upper bound of the primal at the last measurement, which need not be the best.
  double last_primal() const { return last_primal_; }
  double last_dual() const { return last_dual_; }

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  /// What is found of a block.
  struct Found {
    double bound = 0.0;       ///< of the largest H_i, rounding included
    double soft_bound = 0.0;  ///< by the messages of the softened or smoothed problem
    double soft_gap = 0.0;
    double entropy = 0.0;   ///< of the rounded beliefs; only if something is smoothed
    double rounding = 0.0;  ///< of both bounds, at the most
    BlockState rounded;
  };
  /// Scratch of a thread.
  struct Worker {
    RegionScores scores;
    Rounding rounding;
    MessageSweep messages;
    PartScores answer;
    std::vector<double> theta;   ///< by part, and a 0 for states that have none
    std::vector<double> record;  ///< of a block with other multipliers
    std::vector<double> by_part;
  };
  struct Bound {
    double value = 0.0;
    double gap = 0.0;
    double smoothed = 0.0;  ///< the same with soft maxima
  };

  void look_at(const Standpoint& here, Index i, Oracle& oracle, Worker& worker, Found& found) const;
  Bound bound(const BlockBeliefs& block, double price, double smoothing, Worker& worker) const;
  BlockBeliefs tightened(const BlockBeliefs& block, double price, Worker& worker) const;
  double truth_score(const Beliefs& beliefs, Index i, std::span<const double> theta) const;
  double rounding_of(const BlockBeliefs& block, std::span<const double> theta, double price) const;

  RunContext context_;
  std::vector<Worker> workers_;
  DualPoint rounded_;
  double dual_ = 0.0;
  double primal_ = 0.0;
  std::vector<double> best_w_;
  double soft_gap_ = 0.0;
  double soft_primal_ = 0.0;
  double last_primal_ = 0.0;
  double last_dual_ = 0.0;
  std::vector<double> soft_gaps_;
};

}  // namespace gapwise::internal
