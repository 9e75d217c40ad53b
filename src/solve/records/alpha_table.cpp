#include "solve/records/alpha_table.h"

namespace gapwise::internal {

void AlphaTable::fill(const std::vector<CornerSet>& corners) {
  blocks_.clear();
  starts_.resize(corners.size());
  lanes_.assign(corners.size(), 0);
  std::size_t size = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (corners[i].size() < 2) continue;
    const std::size_t lanes =
        (static_cast<std::size_t>(corners[i].size()) + kLanes - 1) / kLanes * kLanes;
    blocks_.push_back(static_cast<Index>(i));
    starts_[i] = size;
    lanes_[i] = static_cast<std::uint32_t>(lanes);
    size += lanes;
  }
  alpha_.assign(size, 0.0);
  marked_.assign(size, 0.0);
  used_.assign(size, 0);
  for (const Index i : blocks_) {
    const CornerSet& set = corners[static_cast<std::size_t>(i)];
    for (int p = 0; p < set.size(); ++p) {
      alpha(i)[p] = set.alpha(p);
      marked(i)[p] = set.marked_alpha(p);
    }
  }
}

void AlphaTable::write(std::vector<CornerSet>& corners, std::int32_t now) const {
  for (const Index i : blocks_) {
    CornerSet& set = corners[static_cast<std::size_t>(i)];
    const std::size_t start = starts_[static_cast<std::size_t>(i)];
    for (int p = 0; p < set.size(); ++p) {
      const std::size_t at = start + static_cast<std::size_t>(p);
      set.set_alpha(p, alpha_[at], marked_[at]);
      if (used_[at] != 0) set.touch(p, now);
    }
  }
}

}  // namespace gapwise::internal
