#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gapwise/types.h"
#include "solve/huge_pages.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// How records number the weights. Where there are many, as with the words of a text, remembered
/// corners use few of them, and those lie far from each other: they are numbered as they are first
/// met, so that what belongs together lies together, and passes over records work on a short copy
/// of w. Few weights keep their numbers, and w is its own copy.
class WeightIndex {
 public:
  explicit WeightIndex(Index dimension)
      : dimension_(static_cast<std::size_t>(dimension)), is_compact_(dimension > kMostInPlace) {}

  bool is_compact() const { return is_compact_; }
  /// How many weights records work on.
  std::size_t size() const { return is_compact_ ? weights_.size() : dimension_; }

  /// The number of weight j, a new one if it has none.
  std::uint32_t number(Index j) {
    if (!is_compact_) return static_cast<std::uint32_t>(j);
    if (numbers_.empty()) numbers_.assign(dimension_, kNone);
    std::uint32_t& number = numbers_[static_cast<std::size_t>(j)];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(weights_.size());
      weights_.push_back(static_cast<std::uint32_t>(j));
    }
    return number;
  }

  /// copy = the numbered weights of v.
  template <class Vector>
  void gather(Weights v, Vector& copy) const {
    copy.resize(size());
    for (std::size_t k = 0; k < weights_.size(); ++k) copy[k] = v[weights_[k]];
  }
  /// The other way round.
  void scatter(Weights copy, MutableWeights v) const {
    for (std::size_t k = 0; k < copy.size(); ++k) v[weights_[k]] = copy[k];
  }

  void clear() {
    weights_.clear();
    numbers_.clear();
    numbers_.shrink_to_fit();
  }

  /// Sums over the copy run by numbers, so a resumed run needs the same ones.
  void save(StateWriter& out) const {
    out.count(weights_.size());
    for (const std::uint32_t j : weights_) out.count(std::uint64_t{j});
  }
  void load(StateReader& in) {
    clear();
    const auto count = static_cast<std::size_t>(in.count_up_to(static_cast<Index>(dimension_)));
    in.require(is_compact_ || count == 0, "numbers of weights that have none");
    const auto end = static_cast<Index>(dimension_);
    for (const Index j : in.distinct(count, end)) number(j);
  }

 private:
  /// Twice what the second level of cache holds; also what 32 bits count, below 2^32.
  static constexpr Index kMostInPlace = Index{1} << 17;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::size_t dimension_;
  bool is_compact_;
  std::vector<std::uint32_t> numbers_;  ///< by weight
  std::vector<std::uint32_t> weights_;  ///< by number
};

}  // namespace gapwise::internal
