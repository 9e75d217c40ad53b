#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/binary_pairs.h"
#include "infer/constrained_sets.h"

namespace gapwise::internal {

/// A set of labels and what it scores.
struct ScoredSet {
  std::vector<std::uint8_t> on;
  double score = 0.0;
};

/// Up to so many labels all sets are looked at where pairs score or rules hold.
inline constexpr std::size_t kMostRankedLabels = 20;

/// What is known of all sets of labels at once, not only of the best one; owns scratch memory.
/// Where neither pairs score nor rules hold, any number of labels is fine; else at most
/// kMostRankedLabels.
class RankedSets {
 public:
  /// The rules outlive this; null: all sets may be.
  RankedSets(std::size_t labels, const SetRules* rules);

  static bool can_rank(std::size_t labels, bool has_pairs, bool has_rules) {
    return labels <= kMostRankedLabels || !(has_pairs || has_rules);
  }

  /// The scores that everything below speaks of; all are finite.
  void load(const BinaryPairScores& scores);

  /// The `count` best sets, best first, fewer if there are fewer. If sets are all looked at, ties
  /// go to the first set in the order that compares label 0 first and puts "off" before "on".
  std::vector<ScoredSet> best(std::size_t count) const;
  /// out[l]: by how much the best set with label l on scores more than the best one without;
  /// infinite, of either sign, if there is only one of the two.
  void margins(std::span<double> out) const;
  /// out[l]: how likely label l is on if sets are as likely as exp(score / temperature).
  void probabilities(double temperature, std::span<double> out) const;

 private:
  std::vector<ScoredSet> best_of_all(std::size_t count) const;
  std::vector<ScoredSet> best_of_independent(std::size_t count) const;
  /// Label l is bit labels - 1 - l of a code, so that codes count in the order of ties.
  std::size_t bit(std::size_t label) const { return std::size_t{1} << (labels_ - 1 - label); }

  std::size_t labels_;
  const SetRules* rules_;
  std::vector<double> singles_;
  std::vector<double> values_;  ///< of each code, minus infinity if a rule forbids it
  std::vector<double> gains_;   ///< scratch: what pairs with one label add, by code of the others
  bool is_independent_ = false;
};

}  // namespace gapwise::internal
