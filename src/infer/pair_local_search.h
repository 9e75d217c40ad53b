#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/pair_problem.h"

namespace gapwise::internal {

/// Good sets of many labels, without a promise: climbs from two starts, the empty set and the set
/// that counts half of every pair, until no change of one or two labels helps.
class PairLocalSearch {
 public:
  /// Writes the better of the two sets to `on`, under the labels' numbers among all.
  void run(const PairProblem& problem, std::span<std::uint8_t> on);

 private:
  double climb(const PairProblem& problem);
  bool improve_by_one(const PairProblem& problem);
  bool improve_by_two(const PairProblem& problem);
  double change(std::size_t k) const { return set_[k] != 0 ? -gains_[k] : gains_[k]; }
  void flip(const PairProblem& problem, std::size_t k);

  std::vector<std::uint8_t> set_;
  std::vector<std::uint8_t> best_;
  std::vector<double> gains_;  ///< what each label adds, or would add, to the set
  double value_ = 0.0;
};

}  // namespace gapwise::internal
