#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/stop.h"
#include "infer/dependency.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "infer/eisner.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gapwise::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// max_k a[k] + b[k], k < size, size >= 1. Taking the maximum is exact, so its order does not
/// matter.
HWY_INLINE double largest_sum(const double* a, const double* b, std::size_t size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  double best = a[0] + b[0];
  if (size < lanes) {
    for (std::size_t k = 1; k < size; ++k) best = std::max(best, a[k] + b[k]);
    return best;
  }
  auto top = hn::Add(hn::LoadU(d, a), hn::LoadU(d, b));
  for (std::size_t k = lanes; k + lanes <= size; k += lanes) {
    top = hn::Max(top, hn::Add(hn::LoadU(d, a + k), hn::LoadU(d, b + k)));
  }
  // The last vector ends at the last sum, so it may repeat some.
  const std::size_t last = size - lanes;
  top = hn::Max(top, hn::Add(hn::LoadU(d, a + last), hn::LoadU(d, b + last)));
  return hn::GetLane(hn::MaxOfLanes(d, top));
}

/// The recursions of Eisner over all spans of the words first..words.
void fill_spans(const ArcScores& arcs, int first, EisnerScratch& scratch) {
  const auto side = static_cast<std::size_t>(arcs.words + 1);
  double* right = scratch.right.data();
  double* left = scratch.left.data();
  double* incomplete = scratch.incomplete.data();
  StopPoll poll;
  for (auto j = static_cast<std::size_t>(first); j < side; ++j) {
    poll.spend(j * j);
    right[j * side + j] = 0.0;
    left[j * side + j] = 0.0;
    for (std::size_t i = j; i-- > static_cast<std::size_t>(first);) {
      const std::size_t width = j - i;
      const double inside = largest_sum(right + i * side + i, left + j * side + i + 1, width);
      incomplete[i * side + j] = inside + arcs.scores[i * side + j];
      const double from_left =
          largest_sum(incomplete + i * side + i + 1, right + j * side + i + 1, width);
      right[i * side + j] = from_left;
      right[j * side + i] = from_left;
      if (i == 0) continue;  // nothing is the head of the root
      incomplete[j * side + i] = inside + arcs.scores[j * side + i];
      const double from_right = largest_sum(left + i * side + i, incomplete + j * side + i, width);
      left[i * side + j] = from_right;
      left[j * side + i] = from_right;
    }
  }
}

}  // namespace gapwise::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gapwise::internal {

HWY_EXPORT(fill_spans);

namespace {

/// The first k < size with the largest a[k] + b[k].
int first_largest_sum(const double* a, const double* b, int size) {
  int best = 0;
  double top = a[0] + b[0];
  for (int k = 1; k < size; ++k) {
    if (a[k] + b[k] > top) {
      top = a[k] + b[k];
      best = k;
    }
  }
  return best;
}

/// Takes the best spans apart. There are no back pointers: along the one best tree the maxima are
/// taken again.
class Backtrack {
 public:
  Backtrack(const ArcScores& arcs, EisnerScratch& scratch, std::span<std::int32_t> heads)
      : side_(arcs.words + 1), scratch_(scratch), heads_(heads) {}

  void run(int head, int end) {
    push(head, end, true);
    while (!scratch_.spans.empty()) {
      const EisnerScratch::Span span = scratch_.spans.back();
      scratch_.spans.pop_back();
      if (span.is_complete) {
        split_complete(span.head, span.end);
      } else {
        split_incomplete(span.head, span.end);
      }
    }
  }

 private:
  void split_complete(int head, int end) {
    const int i = std::min(head, end);
    const int j = std::max(head, end);
    int k = 0;  // the child that reaches furthest
    if (head == i) {
      k = i + 1 +
          first_largest_sum(row(scratch_.incomplete, i) + i + 1, row(scratch_.right, j) + i + 1,
                            j - i);
    } else {
      k = i + first_largest_sum(row(scratch_.left, i) + i, row(scratch_.incomplete, j) + i, j - i);
    }
    push(head, k, false);
    push(k, end, true);
  }

  void split_incomplete(int head, int end) {
    const int i = std::min(head, end);
    const int j = std::max(head, end);
    heads_[static_cast<std::size_t>(end - 1)] = head;
    const int k =
        i + first_largest_sum(row(scratch_.right, i) + i, row(scratch_.left, j) + i + 1, j - i);
    push(i, k, true);
    push(j, k + 1, true);
  }

  const double* row(const std::vector<double>& square, int i) const {
    return square.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(side_);
  }
  void push(int head, int end, bool is_complete) {
    if (head != end) scratch_.spans.push_back({head, end, is_complete});
  }

  int side_;
  EisnerScratch& scratch_;
  std::span<std::int32_t> heads_;
};

}  // namespace

double eisner(const ArcScores& arcs, RootCount roots, EisnerScratch& scratch,
              std::span<std::int32_t> heads) {
  const auto side = static_cast<std::size_t>(arcs.words) + 1;
  for (auto* square : {&scratch.right, &scratch.left, &scratch.incomplete}) {
    if (square->size() < side * side) square->resize(side * side);
  }
  Backtrack backtrack(arcs, scratch, heads);
  if (roots == RootCount::kMany) {
    HWY_DYNAMIC_DISPATCH(fill_spans)(arcs, 0, scratch);
    backtrack.run(0, arcs.words);
    return scratch.right[side - 1];
  }
  HWY_DYNAMIC_DISPATCH(fill_spans)(arcs, 1, scratch);
  int root = 0;
  double best = -std::numeric_limits<double>::infinity();
  for (int k = 1; k <= arcs.words; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double value = scratch.left[side + at] + scratch.right[at * side + side - 1] + arcs(0, k);
    if (root == 0 || value > best) {
      best = value;
      root = k;
    }
  }
  heads[static_cast<std::size_t>(root - 1)] = 0;
  backtrack.run(root, 1);
  backtrack.run(root, arcs.words);
  return best;
}

}  // namespace gapwise::internal
#endif  // HWY_ONCE
