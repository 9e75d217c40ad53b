#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "infer/binary_pairs.h"
#include "infer/roof_dual.h"

namespace gapwise::internal {

/// The labels of a set that are still to be decided, with what the decided ones add folded into
/// their scores.
class PairProblem {
 public:
  void load(const BinaryPairScores& scores);

  std::size_t size() const { return names_.size(); }
  std::size_t name(std::size_t k) const { return names_[k]; }  ///< its number among all labels
  double single(std::size_t k) const { return singles_[k]; }
  /// Scores of the pairs of k with all others; 0 with itself.
  const double* row(std::size_t k) const { return pairs_.data() + k * size(); }
  /// The same as a list, without pairs that score nothing.
  void list_terms(PairTerms& out) const;

  /// Decides labels that are on, or off, in the best set whatever the others are: those whose own
  /// score outweighs all their pairs. Repeats that until none is left.
  void decide_plain(std::span<std::uint8_t> on);

  /// Renumbers the labels: those that may add most come first.
  void put_promising_first();

  /// Takes decided labels out and writes to `on` what they are.
  void decide(std::span<const Decision> decisions, std::span<std::uint8_t> on);

 private:
  std::vector<std::size_t> names_;
  std::vector<double> singles_;
  std::vector<double> pairs_;  ///< square, symmetric
  std::vector<Decision> decisions_;
  std::vector<double> promises_;
  std::vector<std::size_t> order_;
  std::vector<double> sorted_;
};

}  // namespace gapwise::internal
