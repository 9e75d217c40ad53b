#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "solve/frank_wolfe/corner_set.h"
#include "solve/records/corner_record.h"

namespace gapwise::internal {

/// The weights alpha of all blocks with more than one corner, next to each other: what steps and
/// leaps between remembered corners change. Taken from the corner sets and written back to them.
/// The row of a block is filled up with zeros to a multiple of kLanes.
class AlphaTable {
 public:
  /// Takes the weights of all blocks with more than one corner.
  void fill(const std::vector<CornerSet>& corners);
  /// Writes back what fill() took; corners that were used are dated `now`.
  void write(std::vector<CornerSet>& corners, std::int32_t now = 0) const;
  void clear() { blocks_.clear(); }

  /// The blocks that have a row, ascending.
  std::span<const Index> blocks() const { return blocks_; }
  /// The row of block i.
  double* alpha(Index i) { return alpha_.data() + starts_[static_cast<std::size_t>(i)]; }
  const double* alpha(Index i) const {
    return alpha_.data() + starts_[static_cast<std::size_t>(i)];
  }
  std::size_t lanes(Index i) const { return lanes_[static_cast<std::size_t>(i)]; }

  void mark() { marked_ = alpha_; }
  /// Takes aim at alpha + gamma * (alpha - marked) in all blocks.
  void aim(double gamma);
  /// Where block i aims below 0, clips at 0 and scales back to the old sum; `change` is what that
  /// adds to the aim. Returns whether it was so.
  bool clip(Index i, std::vector<double>& change);
  /// Marks where all blocks are, and goes by `share` of the way to where they aim.
  void advance(double share);
  /// By corner of block i: 1 where it was of use.
  std::uint8_t* used(Index i) { return used_.data() + starts_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<Index> blocks_;
  std::vector<std::size_t> starts_;   ///< by block
  std::vector<std::uint32_t> lanes_;  ///< by block
  std::vector<double> alpha_;
  std::vector<double> marked_;  ///< alpha as it was at the last mark()
  std::vector<double> target_;  ///< where a leap takes aim
  std::vector<std::uint8_t> used_;
};

}  // namespace gapwise::internal
