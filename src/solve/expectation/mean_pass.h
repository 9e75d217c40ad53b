#pragma once

#include <functional>
#include <vector>

#include "solve/solver.h"

namespace gapwise::internal {

/// What a dual point alpha amounts to: w(alpha) = sum_i B_i u_i / (lambda n) with u_i the mean of
/// m(y_i) - m(y) under alpha_i, and ell(alpha) = sum_i E L_i / n. Linear in alpha.
struct MeanPoint {
  std::vector<double> w;
  double ell = 0.0;

  explicit MeanPoint(Index dimension) : w(static_cast<std::size_t>(dimension), 0.0) {}

  double dual(double lambda) const { return ell - 0.5 * lambda * squared_norm(w); }
  /// this = (1 - share) this + share * other.
  void blend(double share, const MeanPoint& other) {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += share * (other.w[j] - w[j]);
    ell += share * (other.ell - ell);
  }

  void save(StateWriter& out) const;
  void load(StateReader& in);
};

/// Passes over all blocks for batch methods that move every block at once: on all threads, with
/// sums in block order, and memory for the means of some blocks only.
class MeanPass {
 public:
  explicit MeanPass(const RunContext& context) : context_(context), slots_(context.team.size()) {}

  /// alpha_i(y) proportional to exp(<w, phi(x_i, y)> + cost_weight L_i(y)). Returns the sum over
  /// the blocks of log sum_y exp(cost_weight L_i(y) - <w, psi_i(y)>).
  double gibbs(Weights w, double cost_weight, MeanPoint& out);

  /// u_i = the projection of from(i) moved by step * (B_i' w + cost_weight c_i), kept in keep(i)
  /// if that is not null.
  struct Projection {
    std::function<const Parts&(Index i)> from;
    std::function<Parts*(Index i)> keep;
  };
  void project(const Projection& blocks, double step, Weights w, double cost_weight,
               MeanPoint& out);

  /// sqrt(sum_i radius_i^2).
  double total_radius();

 private:
  struct Slot {
    PartScores theta;
    PartScores costs;
    PartScores logits;
  };
  struct Mean {
    Parts parts;
    double loss = 0.0;
    double log_sum = 0.0;
  };
  using Find = std::function<void(Index i, MeteredOracle& oracle, Slot& slot, Mean& out)>;
  double run(const Find& find, MeanPoint& out);

  RunContext context_;
  std::vector<Slot> slots_;
  std::vector<Mean> means_;
};

}  // namespace gapwise::internal
