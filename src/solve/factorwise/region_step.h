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

/// The scores of all parts of a block, and how its regions moved since they were computed; for
/// blocks whose regions share no weights, so that no region changes the scores of another.
struct WholeBlock {
  std::vector<double> theta;  ///< by part, and a 0 for states that have none
  std::vector<double> moved;  ///< by part, absolute: minus what w is to move by
  double cost = 0.0;          ///< added
};

/// The block step, docs/design/factorwise.md: one region of block i moves as far as the softened
/// dual rises. Costs a few operations per entry of its table and one call each of score_some,
/// squared_norm and scatter, whatever the size of the graph. Owns scratch.
class RegionStep {
 public:
  explicit RegionStep(RegionMove move) : move_(move) {}

  RegionGain take(Oracle& oracle, Index i, const BlockBeliefs& block, const Region& region,
                  double price, DualPoint& point);
  /// A pair move among some states, ascending, that have all the belief of the region: others are
  /// neither scored nor chosen.
  RegionGain take_among(Oracle& oracle, Index i, const BlockBeliefs& block, const Region& region,
                        std::span<const std::int32_t> states, double price, DualPoint& point);
  /// The best state of the last region that moved, or did not.
  std::int32_t best_state() const { return best_; }
  /// The same with scores that are known; the owner of `whole` moves w when all regions have moved.
  /// The scores follow where regions have a single part, of which `scale` is the size in w.
  RegionGain take(Oracle& oracle, Index i, const BlockBeliefs& block, const Region& region,
                  double price, double scale, WholeBlock& whole);

 private:
  /// The change of beliefs along which the region moves: e, as its cost and what it does to the
  /// marginals.
  struct Line {
    double slope = 0.0;     ///< <scores, e>
    double coupling = 0.0;  ///< |e|^2 as often as the variable has factors, or sum |marginals|^2
    double largest = 1.0;   ///< step
    double cost = 0.0;      ///< of e
    double length = 0.0;    ///< |Phi|^2
    std::size_t to = 0;     ///< the best state
    std::size_t from = 0;   ///< of a pair
  };

  /// Finds the line and its parts, and moves the beliefs along it; no gamma if there is none.
  RegionGain move(Oracle& oracle, Index i, const BlockBeliefs& block, const Region& region,
                  std::span<const double> scores, double price, double scale, Line& line);
  /// The pair move of a factor of two variables with two states each: the same as move(), with
  /// nothing but what such a factor needs. Most of the time of multilabel problems is spent here.
  RegionGain move_binary(Oracle& oracle, Index i, const BlockBeliefs& block, const Region& region,
                         double price, double scale, std::span<const double> theta, Line& line);
  void toward_best(const BlockBeliefs& block, const Region& region, Line& line);
  bool find_pair(const BlockBeliefs& block, const Region& region, std::span<const double> scores,
                 Line& line);
  /// What else is to know of the pair of a line.
  void complete_pair(const BlockBeliefs& block, const Region& region, Line& line);
  /// How far the line goes, which the beliefs then do.
  void follow(Oracle& oracle, Index i, const BlockBeliefs& block, const Region& region,
              double price, double scale, Line& line, RegionGain& result);
  void collect_parts(const BlockBeliefs& block, const Region& region);
  void collect_pair(const BlockBeliefs& block, const Region& region, const Line& line);
  void blend(const BlockBeliefs& block, const Region& region, const Line& line, double gamma);
  void shift(const BlockBeliefs& block, const Region& region, const Line& line, double gamma);

  RegionMove move_;
  RegionScores scores_;
  std::vector<double> change_;  ///< e of a Frank-Wolfe step, by state
  std::vector<double> by_part_;
  std::int32_t best_ = 0;
  Parts parts_;  ///< relative to the truth: minus those of e
};

}  // namespace gapwise::internal
