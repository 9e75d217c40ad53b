#include "tasks/shared/label_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tasks/shared/label_rows.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "core/stop.h"

HWY_BEFORE_NAMESPACE();
namespace gapwise::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The sum for the labels covered by kVectors vectors from `first` on; the last vector is moved
/// back to end at the last label. Features of even and odd rank are summed apart, for speed.
template <int kVectors, class D>
HWY_INLINE void score_row(D d, const FeatureRow& row, const double* w, std::size_t labels,
                          std::size_t first, double* out) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t at[kVectors];
  V even[kVectors];
  V odd[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    at[v] = std::min(first + static_cast<std::size_t>(v) * lanes, labels - lanes);
    even[v] = hn::Zero(d);
    odd[v] = hn::Zero(d);
  }
  const auto add = [&](std::size_t f, V* sums) HWY_ATTR {
    const double* weights = w + (row.attributes != nullptr ? row.attributes[f] : f) * labels;
    if (row.values != nullptr) {
      const V x = hn::Set(d, row.values[f]);
      for (int v = 0; v < kVectors; ++v) {
        sums[v] = hn::Add(sums[v], hn::Mul(x, hn::LoadU(d, weights + at[v])));
      }
    } else {
      for (int v = 0; v < kVectors; ++v) sums[v] = hn::Add(sums[v], hn::LoadU(d, weights + at[v]));
    }
  };
  std::size_t f = 0;
  for (; f + 1 < row.size; f += 2) {
    add(f, even);
    add(f + 1, odd);
  }
  if (f < row.size) add(f, even);
  for (int v = 0; v < kVectors; ++v) hn::StoreU(hn::Add(even[v], odd[v]), d, out + at[v]);
}

template <class D>
void score_rows_with(D d, const FeatureRows& rows, std::size_t first, std::size_t count,
                     const double* w, std::size_t labels, double* out) {
  const std::size_t lanes = hn::Lanes(d);
  StopPoll poll;
  for (std::size_t r = 0; r < count; ++r, out += labels) {
    const FeatureRow row = rows.row(first + r);
    poll.spend(row.size * labels);
    for (std::size_t label = 0; label < labels; label += 4 * lanes) {
      const std::size_t vectors = (labels - label + lanes - 1) / lanes;
      if (vectors >= 4) {
        score_row<4>(d, row, w, labels, label, out);
      } else if (vectors == 3) {
        score_row<3>(d, row, w, labels, label, out);
      } else if (vectors == 2) {
        score_row<2>(d, row, w, labels, label, out);
      } else {
        score_row<1>(d, row, w, labels, label, out);
      }
    }
  }
}

void score_rows_any(const FeatureRows& rows, std::size_t first, std::size_t count, const double* w,
                    std::size_t labels, double* out) {
  const hn::ScalableTag<double> widest;
  if (labels >= hn::Lanes(widest)) {
    score_rows_with(widest, rows, first, count, w, labels, out);
  } else if (labels >= 4) {
    score_rows_with(hn::CappedTag<double, 4>(), rows, first, count, w, labels, out);
  } else if (labels >= 2) {
    score_rows_with(hn::CappedTag<double, 2>(), rows, first, count, w, labels, out);
  } else {
    score_rows_with(hn::CappedTag<double, 1>(), rows, first, count, w, labels, out);
  }
}

void add_to_rows_any(const FeatureRow& row, const double* change, std::size_t labels, double* w) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t f = 0; f < row.size; ++f) {
    double* weights = w + (row.attributes != nullptr ? row.attributes[f] : f) * labels;
    const double x = row.values != nullptr ? row.values[f] : 1.0;
    const auto factor = hn::Set(d, x);
    std::size_t k = 0;
    for (; k + lanes <= labels; k += lanes) {
      const auto product = hn::Mul(factor, hn::LoadU(d, change + k));
      hn::StoreU(hn::Add(hn::LoadU(d, weights + k), product), d, weights + k);
    }
    for (; k < labels; ++k) weights[k] += x * change[k];
  }
}

}  // namespace gapwise::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gapwise::internal {

HWY_EXPORT(score_rows_any);
HWY_EXPORT(add_to_rows_any);

void score_rows(const FeatureRows& rows, std::size_t first, std::size_t count, const double* w,
                std::size_t labels, double* out) {
  HWY_DYNAMIC_DISPATCH(score_rows_any)(rows, first, count, w, labels, out);
}

namespace {

/// kCount labels at once, so that their sums do not wait for each other.
template <int kCount>
void score_labels_together(const FeatureRow& row, const Index* at, std::size_t labels,
                           const double* w, double* out) {
  std::array<double, kCount> sums{};
  for (std::size_t f = 0; f < row.size; ++f) {
    const double* weights = w + (row.attributes != nullptr ? row.attributes[f] : f) * labels;
    const double x = row.values != nullptr ? row.values[f] : 1.0;
    for (std::size_t j = 0; j < kCount; ++j) sums[j] += x * weights[at[j]];
  }
  std::copy(sums.begin(), sums.end(), out);
}

}  // namespace

void score_labels(const FeatureRow& row, std::span<const Index> at, std::size_t labels,
                  const double* w, double* out) {
  while (!at.empty()) {
    const std::size_t count = std::min<std::size_t>(at.size(), 4);
    switch (count) {
      case 1:
        score_labels_together<1>(row, at.data(), labels, w, out);
        break;
      case 2:
        score_labels_together<2>(row, at.data(), labels, w, out);
        break;
      case 3:
        score_labels_together<3>(row, at.data(), labels, w, out);
        break;
      default:
        score_labels_together<4>(row, at.data(), labels, w, out);
    }
    at = at.subspan(count);
    out += count;
  }
}

void describe_labels(const FeatureRow& row, std::span<const Index> ids, Index origin, Index labels,
                     PartRows& out, std::size_t first) {
  out.begin_row();
  for (std::size_t f = 0; f < row.size; ++f) {
    const auto a = static_cast<Index>(row.attributes != nullptr ? row.attributes[f] : f);
    out.add_feature(a * labels, row.values != nullptr ? row.values[f] : 1.0);
  }
  for (std::size_t j = 0; j < ids.size(); ++j) out.add_part(first + j, ids[j] - origin);
}

void add_to_rows(const FeatureRow& row, const double* change, std::size_t labels, double* w) {
  HWY_DYNAMIC_DISPATCH(add_to_rows_any)(row, change, labels, w);
}

void add_to_labels(const FeatureRow& row, std::span<const LabelChange> changes, std::size_t labels,
                   double* w) {
  if (changes.size() == 2 && row.values == nullptr && row.attributes != nullptr) {
    // One wrong label instead of the right one, binary features: by far the most frequent case.
    const LabelChange a = changes[0];
    const LabelChange b = changes[1];
    for (std::size_t f = 0; f < row.size; ++f) {
      double* weights = w + row.attributes[f] * labels;
      weights[a.label] += a.amount;
      weights[b.label] += b.amount;
    }
    return;
  }
  for (std::size_t f = 0; f < row.size; ++f) {
    double* weights = w + (row.attributes != nullptr ? row.attributes[f] : f) * labels;
    const double x = row.values != nullptr ? row.values[f] : 1.0;
    for (const LabelChange& change : changes) weights[change.label] += x * change.amount;
  }
}

}  // namespace gapwise::internal
#endif  // HWY_ONCE
