#include "infer/count_viterbi.h"

#include <algorithm>
#include <limits>

#include "core/stop.h"

namespace gapwise::internal {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

const double* CountViterbi::pairs_into(std::size_t t) const {
  const auto labels = static_cast<std::size_t>(scores_.labels);
  return scores_.pairs + (scores_.pairs_per_position ? (t - 1) * labels * labels : 0);
}

std::span<const double> CountViterbi::solve(const ChainScores& scores,
                                            std::span<const std::int32_t> reference) {
  scores_ = scores;
  reference_ = reference;
  const auto length = static_cast<std::size_t>(scores.length);
  const auto labels = static_cast<std::size_t>(scores.labels);
  best_.assign(row(length, 0), kImpossible);
  reached_.resize(labels);
  for (std::size_t k = 0; k < labels; ++k) {
    const std::size_t count = static_cast<std::int32_t>(k) == reference[0] ? 0 : 1;
    best_[row(0, count) + k] = scores.nodes[k];
  }
  StopPoll poll;
  for (std::size_t t = 1; t < length; ++t) {
    poll.spend(t * labels * labels);
    step(t);
  }

  by_count_.resize(length + 1);
  for (std::size_t count = 0; count <= length; ++count) {
    const double* last = best_.data() + row(length - 1, count);
    by_count_[count] = *std::max_element(last, last + labels);
  }
  return by_count_;
}

/// V_t(c, k) = score_t(k) + max_j [ V_{t-1}(c - [k differs], j) + score(j -> k) ].
void CountViterbi::step(std::size_t t) {
  const auto labels = static_cast<std::size_t>(scores_.labels);
  const auto same = static_cast<std::size_t>(reference_[t]);
  const double* nodes = scores_.nodes + t * labels;
  for (std::size_t count = 0; count <= t; ++count) {
    const double* previous = best_.data() + row(t - 1, count);
    const double* pairs = pairs_into(t);
    std::fill(reached_.begin(), reached_.end(), kImpossible);
    for (std::size_t j = 0; j < labels; ++j, pairs += labels) {
      for (std::size_t k = 0; k < labels; ++k) {
        reached_[k] = std::max(reached_[k], previous[j] + pairs[k]);
      }
    }
    best_[row(t, count) + same] = nodes[same] + reached_[same];
    double* differing = best_.data() + row(t, count + 1);
    for (std::size_t k = 0; k < labels; ++k) {
      if (k != same) differing[k] = nodes[k] + reached_[k];
    }
  }
}

void CountViterbi::labelling(int differences, std::span<std::int32_t> labels_out) const {
  const auto labels = static_cast<std::size_t>(scores_.labels);
  auto count = static_cast<std::size_t>(differences);
  const double* last = best_.data() + row(labels_out.size() - 1, count);
  auto k = static_cast<std::size_t>(std::max_element(last, last + labels) - last);
  for (std::size_t t = labels_out.size() - 1;; --t) {
    labels_out[t] = static_cast<std::int32_t>(k);
    if (t == 0) return;
    if (labels_out[t] != reference_[t]) --count;
    const double* previous = best_.data() + row(t - 1, count);
    const double* pairs = pairs_into(t) + k;
    std::size_t arg = 0;
    for (std::size_t j = 1; j < labels; ++j) {
      if (previous[j] + pairs[j * labels] > previous[arg] + pairs[arg * labels]) arg = j;
    }
    k = arg;
  }
}

}  // namespace gapwise::internal
