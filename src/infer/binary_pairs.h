#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hidden.h"

namespace gapwise::internal {

/// Scores of sets of labels: each label that is on adds its own score, each pair of labels that are
/// both on the score of the pair.
struct BinaryPairScores {
  std::size_t labels = 0;
  const double* singles = nullptr;
  /// Pair a < b at pairs[pair_index(labels, a, b)]; null: pairs score nothing.
  const double* pairs = nullptr;
};

constexpr std::size_t num_pairs(std::size_t labels) {
  return labels < 2 ? 0 : labels * (labels - 1) / 2;
}
/// Pairs are numbered row by row: (0, 1), (0, 2), ..., (1, 2), ...
constexpr std::size_t pair_index(std::size_t labels, std::size_t a, std::size_t b) {
  return a * (2 * labels - a - 1) / 2 + (b - a - 1);
}

/// The score of one set of labels.
double score_of(const BinaryPairScores& scores, std::span<const std::uint8_t> on);

/// What is known of a set of labels that was found.
struct BinaryPairResult {
  double value = 0.0;        ///< its score
  double upper_bound = 0.0;  ///< no set scores more
  bool is_exact = true;      ///< none scores more than `value`; the bound is then the value
};

/// Up to so many labels that nothing simpler decides are decided by looking at all their sets.
inline constexpr std::size_t kMostEnumerated = 16;

/// Finds the best set of labels; owns scratch memory. Exact
///   - for up to kMostEnumerated labels, by branch and bound over all sets,
///   - for any number of labels if no pair has a negative score, by a minimum cut,
///   - whenever labels whose own scores outweigh their pairs, and those that roof duality decides
///     [BH02], leave at most kMostEnumerated others,
///   - and mostly where labels exclude each other, by branch and bound that did not have to give
///   up.
/// Otherwise the set is at least as good as a local optimum under changes of one or two labels, and
/// the bound is the lower one of the roof dual, which is that of the linear relaxation, and of what
/// branch and bound left out. Of equally good sets the first three ways find the first one in the
/// order that compares label 0 first and puts "off" before "on".
class BinaryPairDecoder {
 public:
  BinaryPairDecoder();

  /// Writes 1 to `on` for each label of the set and 0 for the others. All scores are finite.
  BinaryPairResult maximize(const BinaryPairScores& scores, std::span<std::uint8_t> on);

 private:
  struct Scratch;
  Hidden<Scratch> scratch_;
};

}  // namespace gapwise::internal
