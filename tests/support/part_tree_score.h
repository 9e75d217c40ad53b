#pragma once

#include <cstdint>
#include <vector>

#include "infer/part_tree.h"

namespace gapwise::internal::testing {

/// What a placement of all parts of a tree scores.
inline double score_of(const PartTree& tree, const GridShape& grid,
                       const std::vector<Spring>& springs, const std::vector<double>& scores,
                       const std::vector<std::int32_t>& cells) {
  double sum = 0.0;
  for (std::size_t part = 0; part < tree.size(); ++part) {
    const std::int32_t p = cells[part];
    sum += scores[part * static_cast<std::size_t>(grid.cells()) + static_cast<std::size_t>(p)];
    if (tree.parent(part) == PartTree::kNone) continue;
    const std::int32_t q = cells[static_cast<std::size_t>(tree.parent(part))];
    sum -= springs[part].x.cost(grid.x_of(p), grid.x_of(q)) +
           springs[part].y.cost(grid.y_of(p), grid.y_of(q));
  }
  return sum;
}

}  // namespace gapwise::internal::testing
