#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/distance_transform.h"

namespace gapwise::internal {

/// Which part of a figure hangs on which other one.
class PartTree {
 public:
  static constexpr std::int32_t kNone = -1;

  PartTree() = default;
  /// The parent of each part, kNone for the root. InputError unless this is one tree.
  explicit PartTree(std::vector<std::int32_t> parents);

  std::size_t size() const { return parents_.size(); }
  std::int32_t root() const { return order_.front(); }
  std::int32_t parent(std::size_t part) const { return parents_[part]; }
  std::span<const std::int32_t> parents() const { return parents_; }
  /// All parts, each behind its parent.
  std::span<const std::int32_t> order() const { return order_; }

 private:
  std::vector<std::int32_t> parents_;
  std::vector<std::int32_t> order_;
};

/// Scratch memory of the decoder, reused between calls.
struct TreeScratch {
  TransformScratch transform;
  std::vector<std::uint16_t> rows;  ///< message tables, part after part
  std::vector<std::uint16_t> columns;
};

/// Puts every part of the tree on a cell such that the sum of scores[part * cells + its cell], less
/// what the springs between each part and its parent cost, is largest: max-product from the leaves
/// to the root by distance transforms, O(parts * cells), and back. Returns that sum. springs[part]
/// is the one to the parent of the part; that of the root is not used. Ties go to the first cell,
/// the root's first. The scores must be finite and are used up: messages are added to them.
double decode_tree(const PartTree& tree, const GridShape& grid, std::span<const Spring> springs,
                   std::span<double> scores, TreeScratch& scratch,
                   std::span<std::int32_t> cells_out);

}  // namespace gapwise::internal
