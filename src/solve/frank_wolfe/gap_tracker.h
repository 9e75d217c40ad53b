#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gapwise/types.h"
#include "solve/state_archive.h"
#include "solve/sum_tree.h"

namespace gapwise::internal {

/// The last block gaps seen. Their sum is an estimate of the duality gap (each was seen at another
/// w); only a gap pass at one w gives a certificate.
class GapTracker {
 public:
  /// `is_drawn_from`: keeps the tree that gap sampling draws from, at O(log n) per change.
  explicit GapTracker(Index n, bool is_drawn_from = false)
      : gaps_(static_cast<std::size_t>(n), kUnseen), unseen_(n) {
    if (is_drawn_from) tree_.emplace(n);
  }

  void record(Index i, double gap) {
    double& slot = gaps_[static_cast<std::size_t>(i)];
    if (slot == kUnseen) {
      --unseen_;
      slot = 0.0;
    }
    sum_ += gap - slot;
    slot = gap;
    if (tree_) tree_->set(i, gap);
  }

  bool has_seen(Index i) const { return gaps_[static_cast<std::size_t>(i)] != kUnseen; }
  /// The gap of block i when last seen.
  double operator[](Index i) const { return gaps_[static_cast<std::size_t>(i)]; }
  const SumTree& tree() const { return *tree_; }
  /// Of all blocks; empty until every block was seen.
  std::vector<double> values() const { return unseen_ > 0 ? std::vector<double>() : gaps_; }

  /// Infinite until every block was seen.
  double estimate() const {
    return unseen_ > 0 ? std::numeric_limits<double>::infinity() : std::max(0.0, sum_);
  }

  /// sqrt(n sum g_i^2) / sum g_i; nothing until every block was seen, or if there is no gap.
  std::optional<double> unevenness() const {
    if (unseen_ > 0) return std::nullopt;
    double sum = 0.0;
    double squares = 0.0;
    for (const double gap : gaps_) {
      sum += gap;
      squares += gap * gap;
    }
    if (!(sum > 0.0) || !(squares > 0.0)) return std::nullopt;
    return std::sqrt(static_cast<double>(gaps_.size()) * squares) / sum;
  }

  void save(StateWriter& out) const {
    out.weights(gaps_);
    out.f64(sum_);
  }
  void load(StateReader& in) {
    in.weights(gaps_);
    sum_ = in.finite();
    unseen_ = std::count(gaps_.begin(), gaps_.end(), kUnseen);
    for (std::size_t i = 0; tree_ && i < gaps_.size(); ++i) {
      if (gaps_[i] != kUnseen) tree_->set(static_cast<Index>(i), gaps_[i]);
    }
  }

 private:
  static constexpr double kUnseen = -1.0;
  std::vector<double> gaps_;
  Index unseen_;
  double sum_ = 0.0;  ///< of the gaps seen
  std::optional<SumTree> tree_;
};

}  // namespace gapwise::internal
