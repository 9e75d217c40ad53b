#include "infer/viterbi.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "infer/viterbi.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "core/stop.h"

HWY_BEFORE_NAMESPACE();
namespace gapwise::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// out[k] = nodes[k] + max_j (previous[j] + pairs[j * labels + k]) for the labels covered by
/// kVectors vectors from `first` on; the last vector is moved back to end at the last label, so it
/// may compute some labels twice. Taking the maximum is exact, so the order of j does not matter.
template <int kVectors, class D>
HWY_INLINE void max_plus(D d, const double* previous, const double* pairs, const double* nodes,
                         std::size_t labels, std::size_t first, double* out) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t at[kVectors];
  V best[kVectors];
  V other[kVectors];
  const V start = hn::Set(d, previous[0]);
  for (int v = 0; v < kVectors; ++v) {
    at[v] = std::min(first + static_cast<std::size_t>(v) * lanes, labels - lanes);
    best[v] = hn::Add(start, hn::LoadU(d, pairs + at[v]));
    other[v] = best[v];
  }
  std::size_t j = 1;
  for (; j + 1 < labels; j += 2) {
    const V from = hn::Set(d, previous[j]);
    const V from_next = hn::Set(d, previous[j + 1]);
    const double* row = pairs + j * labels;
    for (int v = 0; v < kVectors; ++v) {
      best[v] = hn::Max(best[v], hn::Add(from, hn::LoadU(d, row + at[v])));
      other[v] = hn::Max(other[v], hn::Add(from_next, hn::LoadU(d, row + labels + at[v])));
    }
  }
  if (j < labels) {
    const V from = hn::Set(d, previous[j]);
    const double* row = pairs + j * labels;
    for (int v = 0; v < kVectors; ++v) {
      best[v] = hn::Max(best[v], hn::Add(from, hn::LoadU(d, row + at[v])));
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    const V sum = hn::Add(hn::LoadU(d, nodes + at[v]), hn::Max(best[v], other[v]));
    hn::StoreU(sum, d, out + at[v]);
  }
}

template <class D>
void forward_with(D d, const ChainScores& scores, double* best) {
  const auto labels = static_cast<std::size_t>(scores.labels);
  const std::size_t lanes = hn::Lanes(d);
  const double* pairs = scores.pairs;
  StopPoll poll;
  for (int t = 1; t < scores.length; ++t) {
    poll.spend(labels * labels);
    const double* previous = best + static_cast<std::size_t>(t - 1) * labels;
    const double* nodes = scores.nodes + static_cast<std::size_t>(t) * labels;
    double* out = best + static_cast<std::size_t>(t) * labels;
    for (std::size_t first = 0; first < labels; first += 4 * lanes) {
      const std::size_t vectors = (labels - first + lanes - 1) / lanes;
      if (vectors >= 4) {
        max_plus<4>(d, previous, pairs, nodes, labels, first, out);
      } else if (vectors == 3) {
        max_plus<3>(d, previous, pairs, nodes, labels, first, out);
      } else if (vectors == 2) {
        max_plus<2>(d, previous, pairs, nodes, labels, first, out);
      } else {
        max_plus<1>(d, previous, pairs, nodes, labels, first, out);
      }
    }
    if (scores.pairs_per_position) pairs += labels * labels;
  }
}

/// best[t * labels + k]: the best score of positions 0..t that ends in label k. The label
/// dimension is vectorised with the widest vectors that are not wider than it.
void viterbi_forward(const ChainScores& scores, double* best) {
  const auto labels = static_cast<std::size_t>(scores.labels);
  std::copy_n(scores.nodes, labels, best);
  const hn::ScalableTag<double> widest;
  if (labels >= hn::Lanes(widest)) {
    forward_with(widest, scores, best);
  } else if (labels >= 4) {
    forward_with(hn::CappedTag<double, 4>(), scores, best);
  } else if (labels >= 2) {
    forward_with(hn::CappedTag<double, 2>(), scores, best);
  } else {
    forward_with(hn::CappedTag<double, 1>(), scores, best);
  }
}

}  // namespace gapwise::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gapwise::internal {

HWY_EXPORT(viterbi_forward);

double viterbi(const ChainScores& scores, ViterbiScratch& scratch,
               std::span<std::int32_t> labels_out) {
  const auto length = static_cast<std::size_t>(scores.length);
  const auto labels = static_cast<std::size_t>(scores.labels);
  if (scratch.best.size() < length * labels) scratch.best.resize(length * labels);
  double* best = scratch.best.data();
  HWY_DYNAMIC_DISPATCH(viterbi_forward)(scores, best);

  // No back pointers: along the one best path the maximum over the previous label is taken again.
  const double* last = best + (length - 1) * labels;
  auto k = static_cast<std::size_t>(std::max_element(last, last + labels) - last);
  const double value = last[k];
  labels_out[length - 1] = static_cast<std::int32_t>(k);
  for (std::size_t t = length - 1; t > 0; --t) {
    const double* previous = best + (t - 1) * labels;
    const double* pairs =
        scores.pairs + (scores.pairs_per_position ? (t - 1) * labels * labels : 0) + k;
    std::size_t arg = 0;
    double top = previous[0] + pairs[0];
    for (std::size_t j = 1; j < labels; ++j) {
      const double candidate = previous[j] + pairs[j * labels];
      if (candidate > top) {
        top = candidate;
        arg = j;
      }
    }
    k = arg;
    labels_out[t - 1] = static_cast<std::int32_t>(k);
  }
  return value;
}

}  // namespace gapwise::internal
#endif  // HWY_ONCE
