#pragma once

#include <vector>

#include "solve/dual_state.h"
#include "solve/factorwise/region_scores.h"

namespace gapwise::internal {

/// How a region moves: towards its best state from where it stands, or by a shift of belief from
/// the worst state that has any to the best one.
enum class RegionMove { kFrankWolfe, kPair };

/// What a step came to; in units of n times the dual.
struct RegionGain {
  double gap = 0.0;    ///< of the region before the step: max of its scores - <scores, mu_a>
  double gain = 0.0;   ///< in the softened dual, exactly, unless weights must not be negative
  double gamma = 0.0;  ///< how far it went
};

/// The block step, docs/design/factorwise.md: one region of block i moves as far as the softened
/// dual rises. Costs a few operations per entry of its table and one call each of score_some,
/// squared_norm and scatter, whatever the size of the graph. Owns scratch.
class RegionStep {
 public:
  explicit RegionStep(RegionMove move) : move_(move) {}

  RegionGain take(Oracle& oracle, Index i, const BlockBeliefs& block, const Region& region,
                  double price, DualPoint& point);

 private:
  /// The change of beliefs along which the region moves: e, as its parts, its cost and what it does
  /// to the marginals.
  struct Line {
    double slope = 0.0;     ///< <scores, e>
    double coupling = 0.0;  ///< |e|^2 as often as the variable has factors, or sum |marginals|^2
    double largest = 1.0;   ///< step
    std::size_t to = 0;     ///< the best state
    std::size_t from = 0;   ///< of a pair
  };

  void toward_best(const BlockBeliefs& block, const Region& region, Line& line);
  bool find_pair(const BlockBeliefs& block, const Region& region, std::span<const double> scores,
                 Line& line);
  void collect_parts(const BlockBeliefs& block, const Region& region);
  void blend(const BlockBeliefs& block, const Region& region, const Line& line, double gamma);
  void shift(const BlockBeliefs& block, const Region& region, const Line& line, double gamma);

  RegionMove move_;
  RegionScores scores_;
  std::vector<double> change_;  ///< e, by state
  std::vector<double> by_part_;
  Parts parts_;  ///< relative to the truth: minus those of e
};

}  // namespace gapwise::internal
