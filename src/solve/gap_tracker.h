#pragma once

#include <limits>
#include <span>
#include <vector>

#include "gapwise/core/archive.h"
#include "gapwise/core/types.h"

namespace gapwise {

/// The last block gaps seen. Their sum is an estimate of the duality gap (each was seen at another
/// w); only a gap pass at one w gives a certificate.
class GapTracker {
 public:
  explicit GapTracker(Index n) : gaps_(static_cast<std::size_t>(n), kUnseen), unseen_(n) {}

  void record(Index i, double gap) {
    double& slot = gaps_[static_cast<std::size_t>(i)];
    if (slot == kUnseen) {
      --unseen_;
      slot = 0.0;
    }
    sum_ += gap - slot;
    slot = gap;
  }

  /// Infinite until every block was seen.
  double estimate() const { return unseen_ > 0 ? std::numeric_limits<double>::infinity() : sum_; }

  void save(ByteWriter& out) const {
    out.f64s(gaps_);
    out.i64(unseen_);
    out.f64(sum_);
  }
  void load(ByteReader& in) {
    in.f64s(gaps_);
    unseen_ = in.i64();
    sum_ = in.f64();
  }

 private:
  static constexpr double kUnseen = -1.0;
  std::vector<double> gaps_;
  Index unseen_;
  double sum_ = 0.0;
};

}  // namespace gapwise
