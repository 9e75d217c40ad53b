#pragma once

#include <cstddef>
#include <cstdint>

#include "infer/viterbi.h"

namespace gapwise::internal {

/// A chain of first or second order as states per position with steps between them, so that what
/// works on the one works on the other. A state of second order is a label with the label before
/// it; states are numbered by label, then by the label before.
class Trellis {
 public:
  explicit Trellis(const ChainScores& scores)
      : scores_(scores),
        labels_(static_cast<std::size_t>(scores.labels)),
        is_second_order_(scores.triples != nullptr) {}

  std::size_t length() const { return static_cast<std::size_t>(scores_.length); }
  std::size_t labels() const { return labels_; }
  std::size_t num_states(std::size_t t) const {
    return is_second_order_ && t > 0 ? labels_ * labels_ : labels_;
  }
  std::size_t label(std::size_t t, std::size_t state) const {
    return is_second_order_ && t > 0 ? state / labels_ : state;
  }

  /// What a state scores wherever one comes from.
  double own(std::size_t t, std::size_t state) const {
    const double* nodes = scores_.nodes + t * labels_;
    if (!is_second_order_ || t == 0) return nodes[state];
    const std::size_t label = state / labels_;
    return pairs_into(t)[(state % labels_) * labels_ + label] + nodes[label];
  }

  /// The states at t - 1 that lead to a state at t: `count` of them from `first` on. The step from
  /// the j-th scores steps[j * stride].
  struct Sources {
    std::size_t first;
    std::size_t count;
    const double* steps;
    std::size_t stride;
  };
  Sources sources(std::size_t t, std::size_t state) const {
    if (!is_second_order_) return {0, labels_, pairs_into(t) + state, labels_};
    const std::size_t before = state % labels_;
    if (t == 1) return {before, 1, &kNothing, 0};
    return {before * labels_, labels_, scores_.triples + before * labels_ + state / labels_,
            labels_ * labels_};
  }

 private:
  static constexpr double kNothing = 0.0;

  const double* pairs_into(std::size_t t) const {
    return scores_.pairs + (scores_.pairs_per_position ? (t - 1) * labels_ * labels_ : 0);
  }

  ChainScores scores_;
  std::size_t labels_;
  bool is_second_order_;
};

}  // namespace gapwise::internal
