#pragma once

#include <limits>
#include <vector>

#include "gapwise/core/archive.h"
#include "gapwise/core/types.h"
#include "solve/sum_tree.h"

namespace gapwise {

/// The last block gaps seen. Their sum is an estimate of the duality gap (each was seen at another
/// w); only a gap pass at one w gives a certificate.
class GapTracker {
 public:
  explicit GapTracker(Index n) : gaps_(n), seen_(static_cast<std::size_t>(n), 0.0), unseen_(n) {}

  void record(Index i, double gap) {
    double& seen = seen_[static_cast<std::size_t>(i)];
    if (seen == 0.0) --unseen_;
    seen = 1.0;
    gaps_.set(i, gap);
  }

  bool has_seen(Index i) const { return seen_[static_cast<std::size_t>(i)] != 0.0; }
  /// The gap of block i when last seen.
  double operator[](Index i) const { return gaps_[i]; }
  /// For drawing blocks in proportion to their gaps.
  const SumTree& tree() const { return gaps_; }

  /// Infinite until every block was seen.
  double estimate() const {
    return unseen_ > 0 ? std::numeric_limits<double>::infinity() : gaps_.total();
  }

  void save(ByteWriter& out) const {
    out.f64s(seen_);
    for (std::size_t i = 0; i < seen_.size(); ++i) out.f64(gaps_[static_cast<Index>(i)]);
  }
  void load(ByteReader& in) {
    in.f64s(seen_);
    unseen_ = std::ssize(seen_);
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const double gap = in.f64();
      if (seen_[i] != 0.0) {
        --unseen_;
        gaps_.set(static_cast<Index>(i), gap);
      }
    }
  }

 private:
  SumTree gaps_;
  std::vector<double> seen_;  ///< 0 or 1
  Index unseen_;
};

}  // namespace gapwise
