#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stop.h"
#include "infer/pair_problem.h"

namespace gapwise::internal {

/// Looks at all sets of labels, but for those that cannot be the best one. The first labels are
/// decided one by one, depth first and "off" before "on"; the last ones all at once from a table.
class PairEnumeration {
 public:
  /// Writes the first of the best sets to `on`, under the labels' numbers among all.
  void run(const PairProblem& problem, std::span<std::uint8_t> on);

  /// Starts from the set `on` and looks for better ones, but gives up after `max_visits` partial
  /// sets. Returns what no set of these labels scores more than, apart from rounding: the score of
  /// `on` afterwards if nothing was left out.
  double improve(const PairProblem& problem, std::size_t max_visits, std::span<std::uint8_t> on);

 private:
  static constexpr std::size_t kTableLabels = 6;
  static constexpr std::size_t kTableSize = std::size_t{1} << kTableLabels;

  void prepare(const PairProblem& problem);
  void visit(std::size_t depth, double value);
  void visit_table(double value, const double* gains);
  double bound(std::size_t depth, double value, const double* gains) const;
  void write_best(std::span<std::uint8_t> on) const;

  const PairProblem* problem_ = nullptr;
  std::size_t head_ = 0;  ///< labels decided one by one
  std::size_t tail_ = 0;  ///< the others, at most kTableLabels
  std::size_t visits_left_ = 0;
  /// For each depth the score that each label would add to the set so far.
  std::vector<double> gains_;
  std::vector<double> attraction_;              ///< positive scores of pairs with later labels
  std::array<double, kTableSize> pair_sums_{};  ///< of sets of the last labels
  std::array<double, kTableSize> values_{};
  std::vector<std::uint8_t> set_;  ///< the labels decided so far
  std::vector<std::uint8_t> best_set_;
  double best_ = 0.0;
  double skipped_ = 0.0;  ///< the largest bound of what was left out
  StopPoll poll_;
};

}  // namespace gapwise::internal
