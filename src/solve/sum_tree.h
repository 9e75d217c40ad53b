#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Non-negative weights that can be changed and drawn from in O(log n). Every inner node is
/// computed as the sum of its two children, so nothing drifts however many updates there are.
class SumTree {
 public:
  explicit SumTree(Index n)
      : leaves_(std::bit_ceil(static_cast<std::size_t>(n))), nodes_(2 * leaves_, 0.0) {}

  double total() const { return nodes_[1]; }
  double operator[](Index i) const { return nodes_[leaves_ + static_cast<std::size_t>(i)]; }

  void set(Index i, double weight) {
    std::size_t node = leaves_ + static_cast<std::size_t>(i);
    nodes_[node] = weight;
    for (node /= 2; node > 0; node /= 2) nodes_[node] = nodes_[2 * node] + nodes_[2 * node + 1];
  }

  /// The leaf at `position` in [0, total()); never one of weight zero. total() must be positive.
  Index find(double position) const {
    std::size_t node = 1;
    while (node < leaves_) {
      const double left = nodes_[2 * node];
      const bool goes_left = nodes_[2 * node + 1] == 0.0 || (position < left && left > 0.0);
      if (!goes_left) position -= left;
      node = 2 * node + (goes_left ? 0 : 1);
    }
    return static_cast<Index>(node - leaves_);
  }

 private:
  std::size_t leaves_;
  std::vector<double> nodes_;  ///< node k has the children 2k and 2k + 1; leaves last
};

}  // namespace gapwise::internal
