#pragma once

#include <vector>

#include "solve/dual_state.h"
#include "solve/frank_wolfe/corner_set.h"

namespace gapwise::internal {

/// The corner a that a pairwise step to s leaves: the one with the least h, so that (s, a) is the
/// most violating pair, or the one that gains most for this s (SDA-WSS2).
enum class Partner { kWorst, kBest };

/// The dual as a function of the weights alpha_i of one block over its remembered corners, all
/// other blocks fixed: a quadratic on a simplex. With h_p = H_i(y_p; w), moving gamma from a to s
///   gains  gamma (h_s - h_a)/n - gamma^2/2 |psi_s - psi_a|^2/(lambda n^2)
///   and changes  h_p  by  -gamma (<psi_p, psi_s> - <psi_p, psi_a>)/(lambda n),
/// so that after h is known no step touches features or w. The steps are those of [OALDL16] and the
/// pair choice of SDA-WSS2. With weights that must not be negative the gain is only piecewise
/// quadratic and the line search does look at w; nor does h change as above, so that between two
/// steps of a visit the point is moved and h computed anew.
class BlockDual {
 public:
  /// `point` is where the blocks stand; it outlives this.
  BlockDual(DualPoint& point, Index n)
      : point_(point), n_(static_cast<double>(n)), scale_(point.scale()) {}

  /// Starts with the corners of block i at the scores of their parts, corners.ids().
  void start(Oracle& oracle, Index i, CornerSet& corners, std::span<const double> scores);

  int best() const;   ///< argmax h over all corners
  int worst() const;  ///< argmin h over the active ones
  double violation(int p) const { return h_[static_cast<std::size_t>(p)]; }
  /// g_i towards corner s: (h_s - sum_p alpha_p h_p) / n.
  double gap(int s) const { return (violation(s) - mean_violation()) / n_; }
  /// (h_s - h_a) / n, which is at least gap(s).
  double pairwise_gap(int s, int a) const { return (violation(s) - violation(a)) / n_; }

  /// Steps; each returns what the dual gained. `largest` bounds the step only through feasibility.
  double frank_wolfe_step(int s);
  double fixed_step(int s, double gamma);
  /// Makes h stale: only for the last step of a visit.
  double pairwise_step(int s, int a);
  double away_step(int a);
  /// The step that gains most among Frank-Wolfe, towards s, and away, from a; rule (B).
  double frank_wolfe_or_away_step(int s, int a);
  /// Pairwise steps from a to s, the best corner, until no pair is left with a pairwise gap above
  /// `tolerance` or `most` steps were made.
  double corrective_steps(int most, double tolerance, Partner partner = Partner::kBest);

  /// Whether anything moved since start().
  bool has_moved() const { return has_moved_; }
  /// Moves the point by what moved since start(), which gained `gain`, and tells what that was.
  void finish(double gain, Parts& parts, double& loss);

 private:
  /// The best step along a line in alpha.
  struct Move {
    double gamma;
    double gain;
    bool is_longest;  ///< as far as the weights allow
  };
  /// Lines go from one corner towards another, either of which may be the block itself.
  static constexpr int kBlock = -1;
  Move pair(int s, int a);
  /// Among the active corners; -1 if nothing is to be gained.
  int best_partner(int s);
  Move toward(int s);
  Move from(int a);
  Move search(int s, int a, double slope, double curvature, double largest);
  /// The features behind the line that search() was asked for.
  void find_parts(int s, int a);
  double curvature_toward(int s);
  void shift(int p, double amount);  ///< alpha_p and the books
  void follow_pair(int s, int a, const Move& move);
  void update_violations(int s, int a, const Move& move);
  void follow_toward(int s, double gamma);
  void follow_from(int a, double gamma, bool drops);

  double mean_violation() const;
  double product(int p, int q) { return corners_->product(*oracle_, i_, p, q); }
  /// <psi_p, psi_block> and |psi_block|^2 over the active corners.
  double product_with_block(int p);

  DualPoint& point_;
  double n_;
  double scale_;    ///< 1 / (lambda n)
  Direction line_;  ///< of the last search(); parts and loss only if point_ is constrained
  std::vector<double> line_alpha_;  ///< what a unit step along it adds to alpha
  Oracle* oracle_ = nullptr;
  Index i_ = 0;
  CornerSet* corners_ = nullptr;
  std::vector<double> h_;
  std::vector<double> change_;  ///< of alpha since start()
  std::vector<double> with_block_;
  bool has_moved_ = false;
  bool has_moved_point_ = false;  ///< by as much already
  std::vector<double> scores_;
};

}  // namespace gapwise::internal
