#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "infer/pair_problem.h"

namespace gapwise {

/// Looks at all sets of a few labels, but for those that cannot be the best one. The first labels
/// are decided one by one, depth first and "off" before "on"; the last ones all at once from a
/// table.
class PairEnumeration {
 public:
  /// Writes the first of the best sets to `on`, under the labels' numbers among all.
  void run(const PairProblem& problem, std::span<std::uint8_t> on);

 private:
  static constexpr std::size_t kTableLabels = 6;
  static constexpr std::size_t kTableSize = std::size_t{1} << kTableLabels;

  void prepare(const PairProblem& problem);
  void visit(std::size_t depth, double value, std::uint64_t set);
  void visit_table(double value, const double* gains, std::uint64_t set);
  double bound(std::size_t depth, double value, const double* gains) const;

  const PairProblem* problem_ = nullptr;
  std::size_t head_ = 0;  ///< labels decided one by one
  std::size_t tail_ = 0;  ///< the others, at most kTableLabels
  /// For each depth the score that each label would add to the set so far.
  std::vector<double> gains_;
  std::vector<double> attraction_;              ///< positive scores of pairs with later labels
  std::array<double, kTableSize> pair_sums_{};  ///< of sets of the last labels
  std::array<double, kTableSize> values_{};
  bool has_best_ = false;
  double best_ = 0.0;
  std::uint64_t best_set_ = 0;  ///< the last label is the lowest bit
};

}  // namespace gapwise
