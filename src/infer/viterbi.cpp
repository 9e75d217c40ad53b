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

/// One step of the recursion; see max_plus.
struct MaxPlus {
  const double* previous;
  std::size_t stride;
  const double* pairs;
  std::size_t row;
  const double* nodes;
  double* out;
};

/// out[k] = nodes[k] + max_j (previous[j * stride] + pairs[j * row + k]) for the labels covered by
/// kVectors vectors from `first` on; the last vector is moved back to end at the last label, so it
/// may compute some labels twice. Taking the maximum is exact, so the order of j does not matter.
template <int kVectors, class D>
HWY_INLINE void max_plus(D d, const MaxPlus& step, std::size_t labels, std::size_t first) {
  const double* previous = step.previous;
  const double* pairs = step.pairs;
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
    const V from = hn::Set(d, previous[j * step.stride]);
    const V from_next = hn::Set(d, previous[(j + 1) * step.stride]);
    const double* row = pairs + j * step.row;
    for (int v = 0; v < kVectors; ++v) {
      best[v] = hn::Max(best[v], hn::Add(from, hn::LoadU(d, row + at[v])));
      other[v] = hn::Max(other[v], hn::Add(from_next, hn::LoadU(d, row + step.row + at[v])));
    }
  }
  if (j < labels) {
    const V from = hn::Set(d, previous[j * step.stride]);
    const double* row = pairs + j * step.row;
    for (int v = 0; v < kVectors; ++v) {
      best[v] = hn::Max(best[v], hn::Add(from, hn::LoadU(d, row + at[v])));
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    const V sum = hn::Add(hn::LoadU(d, step.nodes + at[v]), hn::Max(best[v], other[v]));
    hn::StoreU(sum, d, step.out + at[v]);
  }
}

template <class D>
HWY_INLINE void max_plus_all(D d, const MaxPlus& step, std::size_t labels) {
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t first = 0; first < labels; first += 4 * lanes) {
    const std::size_t vectors = (labels - first + lanes - 1) / lanes;
    if (vectors >= 4) {
      max_plus<4>(d, step, labels, first);
    } else if (vectors == 3) {
      max_plus<3>(d, step, labels, first);
    } else if (vectors == 2) {
      max_plus<2>(d, step, labels, first);
    } else {
      max_plus<1>(d, step, labels, first);
    }
  }
}

template <class D>
void forward_with(D d, const ChainScores& scores, double* best) {
  const auto labels = static_cast<std::size_t>(scores.labels);
  const double* pairs = scores.pairs;
  StopPoll poll;
  for (int t = 1; t < scores.length; ++t) {
    poll.spend(labels * labels);
    const double* nodes = scores.nodes + static_cast<std::size_t>(t) * labels;
    max_plus_all(d, {best, 1, pairs, labels, nodes, best + labels}, labels);
    best += labels;
    if (scores.pairs_per_position) pairs += labels * labels;
  }
}

/// The same for second order: best[(t - 1) * labels^2 + b * labels + c] is the best score of
/// positions 0..t that ends in labels b, c. Once b is fixed, a step looks like one of first order.
template <class D>
void second_order_with(D d, const ChainScores& scores, double* best, double* ends) {
  const auto labels = static_cast<std::size_t>(scores.labels);
  const std::size_t square = labels * labels;
  const double* pairs = scores.pairs;
  StopPoll poll;
  for (int t = 1; t < scores.length; ++t) {
    poll.spend(t == 1 ? square : square * labels);
    const double* nodes = scores.nodes + static_cast<std::size_t>(t) * labels;
    for (std::size_t b = 0; b < labels; ++b) {
      const double* row = pairs + b * labels;
      if (t == 1) {
        for (std::size_t c = 0; c < labels; ++c) {
          best[b * labels + c] = (row[c] + nodes[c]) + scores.nodes[b];
        }
        continue;
      }
      for (std::size_t c = 0; c < labels; ++c) ends[c] = row[c] + nodes[c];
      const double* previous = best - square + b;
      max_plus_all(d,
                   {previous, labels, scores.triples + b * labels, square, ends, best + b * labels},
                   labels);
    }
    best += square;
    if (scores.pairs_per_position) pairs += square;
  }
}

/// The label dimension is vectorised with the widest vectors that are not wider than it.
template <class Run>
void with_vectors(std::size_t labels, Run run) {
  const hn::ScalableTag<double> widest;
  if (labels >= hn::Lanes(widest)) {
    run(widest);
  } else if (labels >= 4) {
    run(hn::CappedTag<double, 4>());
  } else if (labels >= 2) {
    run(hn::CappedTag<double, 2>());
  } else {
    run(hn::CappedTag<double, 1>());
  }
}

/// best[t * labels + k]: the best score of positions 0..t that ends in label k.
void viterbi_forward(const ChainScores& scores, double* best) {
  const auto labels = static_cast<std::size_t>(scores.labels);
  std::copy_n(scores.nodes, labels, best);
  with_vectors(labels, [&](auto d) { forward_with(d, scores, best); });
}

void second_order_forward(const ChainScores& scores, double* best, double* ends) {
  with_vectors(static_cast<std::size_t>(scores.labels),
               [&](auto d) { second_order_with(d, scores, best, ends); });
}

}  // namespace gapwise::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gapwise::internal {

HWY_EXPORT(viterbi_forward);
HWY_EXPORT(second_order_forward);

namespace {

/// The first j with the largest values[j * stride] + steps[j * row].
std::size_t best_source(const double* values, std::size_t stride, const double* steps,
                        std::size_t row, std::size_t count) {
  std::size_t arg = 0;
  double top = values[0] + steps[0];
  for (std::size_t j = 1; j < count; ++j) {
    const double candidate = values[j * stride] + steps[j * row];
    if (candidate > top) {
      top = candidate;
      arg = j;
    }
  }
  return arg;
}

double second_order_viterbi(const ChainScores& scores, ViterbiScratch& scratch,
                            std::span<std::int32_t> labels_out) {
  const auto labels = static_cast<std::size_t>(scores.labels);
  const std::size_t square = labels * labels;
  const std::size_t steps = labels_out.size() - 1;
  scratch.best.resize(std::max(scratch.best.size(), steps * square + labels));
  double* best = scratch.best.data();
  HWY_DYNAMIC_DISPATCH(second_order_forward)(scores, best, best + steps * square);

  const double* last = best + (steps - 1) * square;
  std::size_t b = 0;
  std::size_t c = 0;
  for (std::size_t to = 0; to < labels; ++to) {
    for (std::size_t from = 0; from < labels; ++from) {
      if (last[from * labels + to] > last[b * labels + c]) {
        b = from;
        c = to;
      }
    }
  }
  const double value = last[b * labels + c];
  labels_out[steps] = static_cast<std::int32_t>(c);
  labels_out[steps - 1] = static_cast<std::int32_t>(b);
  for (std::size_t t = steps; t > 1; --t) {
    const std::size_t a = best_source(best + (t - 2) * square + b, labels,
                                      scores.triples + b * labels + c, square, labels);
    c = b;
    b = a;
    labels_out[t - 2] = static_cast<std::int32_t>(a);
  }
  return value;
}

}  // namespace

double viterbi(const ChainScores& scores, ViterbiScratch& scratch,
               std::span<std::int32_t> labels_out) {
  if (scores.triples != nullptr && scores.length > 1) {
    return second_order_viterbi(scores, scratch, labels_out);
  }
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
    k = best_source(previous, 1, pairs, labels, labels);
    labels_out[t - 1] = static_cast<std::int32_t>(k);
  }
  return value;
}

}  // namespace gapwise::internal
#endif  // HWY_ONCE
