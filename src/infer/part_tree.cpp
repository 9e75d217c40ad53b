#include "infer/part_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"

namespace gapwise::internal {

PartTree::PartTree(std::vector<std::int32_t> parents) : parents_(std::move(parents)) {
  const auto size = static_cast<std::int32_t>(parents_.size());
  std::vector<std::vector<std::int32_t>> children(parents_.size());
  for (std::int32_t part = 0; part < size; ++part) {
    const std::int32_t parent = parents_[static_cast<std::size_t>(part)];
    if (parent < kNone || parent >= size) {
      throw InputError(
          fmt::format("part {} hangs on part {}, but there are {}", part, parent, size));
    }
    if (parent == kNone) {
      order_.push_back(part);
    } else {
      children[static_cast<std::size_t>(parent)].push_back(part);
    }
  }
  if (order_.size() != 1) {
    throw InputError(
        fmt::format("{} parts of a tree have no parent; exactly one, the root, must "
                    "have none",
                    order_.size()));
  }
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const auto& next = children[static_cast<std::size_t>(order_[k])];
    order_.insert(order_.end(), next.begin(), next.end());
  }
  if (order_.size() != parents_.size()) {
    throw InputError(
        fmt::format("{} of the {} parts hang on each other in a circle; each must hang "
                    "on the root in the end",
                    parents_.size() - order_.size(), parents_.size()));
  }
}

double decode_tree(const PartTree& tree, const GridShape& grid, std::span<const Spring> springs,
                   std::span<double> scores, TreeScratch& scratch,
                   std::span<std::int32_t> cells_out) {
  const auto cells = static_cast<std::size_t>(grid.cells());
  scratch.rows.resize(tree.size() * cells);
  scratch.columns.resize(tree.size() * cells);
  const auto tables = [&](std::size_t part) {
    return MessageTables{scratch.rows.data() + part * cells, scratch.columns.data() + part * cells};
  };
  const auto order = tree.order();
  for (std::size_t k = order.size() - 1; k > 0; --k) {
    const auto part = static_cast<std::size_t>(order[k]);
    const auto parent = static_cast<std::size_t>(tree.parent(part));
    add_message(grid, springs[part], scores.subspan(part * cells, cells), scratch.transform,
                scores.subspan(parent * cells, cells), tables(part));
  }
  const auto root = static_cast<std::size_t>(tree.root());
  const auto beliefs = scores.subspan(root * cells, cells);
  const auto best = std::max_element(beliefs.begin(), beliefs.end());
  cells_out[root] = static_cast<std::int32_t>(best - beliefs.begin());
  for (const std::int32_t part : order.subspan(1)) {
    const auto at = static_cast<std::size_t>(part);
    const std::int32_t parent_cell = cells_out[static_cast<std::size_t>(tree.parent(at))];
    cells_out[at] = tables(at).sender_cell(grid, parent_cell);
  }
  return *best;
}

}  // namespace gapwise::internal
