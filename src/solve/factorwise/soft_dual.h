#pragma once

#include <cstdint>
#include <vector>

#include "solve/factorwise/region_step.h"
#include "solve/factorwise/standpoint.h"
#include "solve/solver.h"

namespace gapwise::internal {

/// How often the regions of a block move in a visit.
struct Sweeps {
  /// Where each asks for its scores; after the first time by pair moves, and only among the states
  /// that had belief or were best then.
  int by_region = 1;
  int whole = 1;  ///< where no two share weights and each has a part at most, so none need ask
};

/// The softened problem and where a run stands in it (docs/design/factorwise.md). For beliefs mu
/// with residuals r, multipliers m and w = w(mu), the softened dual is
///   f(mu) = ell - lambda/2 |w|^2 - 1/n <m, r> - 1/(2 rho n) |r|^2.
class SoftDual {
 public:
  SoftDual(const RunContext& context, RegionMove move, double rho);

  const Beliefs& beliefs() const { return beliefs_; }
  const DualPoint& point() const { return point_; }
  double rho() const { return 1.0 / price_; }
  double price() const { return price_; }
  void set_rho(double rho);

  /// Region a of block i moves once.
  RegionGain step(Oracle& oracle, Index i, Index a);
  /// Every region of block i moves, variables first; the sum of their gaps before they did, over n.
  double sweep(MeteredOracle& oracle, Index i, const Sweeps& times = {});
  /// The multipliers of block i go along its residual: m += step * r / rho.
  void raise_multipliers(Index i, double step);
  /// Every multiplier.
  void raise_multipliers(double step);

  /// |r|^2 of block i when it was last swept, and of all blocks.
  double squared_residual(Index i) const { return residuals_[static_cast<std::size_t>(i)]; }
  double squared_residual() const;
  /// What the soft coupling costs: |r|^2 / (2 rho n).
  double penalty() const { return 0.5 * price_ * squared_residual() / n_; }

  Standpoint here() const { return {beliefs_, point_.w(), price_, penalty()}; }

  /// f(mu), kept by the gains of the steps; anew after `rebuild`.
  double value() const { return value_; }
  /// Computes all anew from the beliefs, which removes the drift of many steps.
  void rebuild(Oracle& oracle);

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  /// Whether no two regions of a block share weights.
  enum class Sharing : std::uint8_t { kUnknown, kNone, kSome };

  double value_anew() const;
  bool shares_weights(Oracle& oracle, Index i);
  Sharing find_sharing(Oracle& oracle, Index i);
  double sweep_regions(Oracle& oracle, Index i);
  void find_active(Index i);
  void sweep_active(Oracle& oracle, Index i);
  double sweep_whole(Oracle& oracle, Index i, int times);

  double n_;
  Beliefs beliefs_;
  DualPoint point_;
  RegionStep step_;
  double price_;
  double value_ = 0.0;
  std::vector<double> residuals_;
  std::vector<Sharing> sharing_;  ///< by block; nothing but the problem decides it
  struct Restless {
    Index region;
    std::int32_t best;  ///< state
  };
  std::vector<Restless> restless_;    ///< regions that had a gap in the last sweep
  std::vector<std::int32_t> active_;  ///< their states
  std::vector<std::size_t> active_starts_;
  PartScores theta_;
  WholeBlock whole_;
  Parts parts_;
};

}  // namespace gapwise::internal
