#include "solve/records/alpha_table.h"

namespace gapwise::internal {
namespace {

/// Weights below this are what rounding left of zero.
constexpr double kNoWeight = 1e-15;

}  // namespace

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
      const std::size_t at = starts_[static_cast<std::size_t>(i)] + static_cast<std::size_t>(p);
      alpha_[at] = set.alpha(p);
      marked_[at] = set.marked_alpha(p);
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

void AlphaTable::aim(double gamma) {
  target_.resize(alpha_.size());
  for (std::size_t k = 0; k < alpha_.size(); ++k) {
    target_[k] = alpha_[k] + gamma * (alpha_[k] - marked_[k]);
  }
}

bool AlphaTable::clip(Index i, std::vector<double>& change) {
  double* const target = target_.data() + starts_[static_cast<std::size_t>(i)];
  const std::size_t count = lanes(i);
  bool is_below = false;
  for (std::size_t p = 0; p < count; ++p) is_below |= target[p] < 0.0;
  if (!is_below) return false;
  double before = 0.0;
  double after = 0.0;
  for (std::size_t p = 0; p < count; ++p) {
    before += alpha(i)[p];
    after += std::max(0.0, target[p]);
  }
  // Back to the old sum, not to 1: otherwise w would drift away from the weights.
  const double factor = before / after;
  change.resize(count);
  for (std::size_t p = 0; p < count; ++p) {
    const double clipped = std::max(0.0, target[p]) * factor;
    change[p] = clipped - target[p];
    target[p] = clipped;
  }
  return true;
}

void AlphaTable::advance(double share) {
  for (std::size_t k = 0; k < alpha_.size(); ++k) {
    const double before = alpha_[k];
    const double after = before + share * (target_[k] - before);
    marked_[k] = before;
    alpha_[k] = after > kNoWeight ? after : 0.0;
  }
}

}  // namespace gapwise::internal
