#include "solve/records/record_visit.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/records/record_visit.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace gapwise::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, kLanes>;

/// The lanes first .. first + Lanes(d) - 1 of a mask byte.
template <class D>
HWY_INLINE hn::Mask<D> lanes_of(D d, const std::uint8_t* byte, std::size_t first) {
  if constexpr (hn::MaxLanes(Tag()) == kLanes) {
    (void)first;
    return hn::LoadMaskBits(d, byte);
  } else {
    const hn::RebindToUnsigned<D> bits;
    const auto all = hn::Set(bits, std::uint64_t{*byte} >> first);
    return hn::RebindMask(d, hn::TestBit(all, hn::Shl(hn::Set(bits, 1), hn::Iota(bits, 0))));
  }
}

/// h of some lanes: their losses less the scores of the elements that they have. Elements of even
/// and odd rank are summed apart, for speed.
template <class D>
HWY_INLINE hn::Vec<D> violations(D d, const double* losses, const std::uint8_t* masks,
                                 std::size_t stride, std::size_t first, const double* scores,
                                 std::size_t elements) {
  auto even = hn::LoadU(d, losses);
  auto odd = hn::Zero(d);
  std::size_t e = 0;
  for (; e + 1 < elements; e += 2, masks += 2 * stride) {
    const auto one = hn::IfThenElseZero(lanes_of(d, masks, first), hn::Set(d, scores[e]));
    const auto two =
        hn::IfThenElseZero(lanes_of(d, masks + stride, first), hn::Set(d, scores[e + 1]));
    even = hn::Sub(even, one);
    odd = hn::Sub(odd, two);
  }
  if (e < elements) {
    even = hn::Sub(even, hn::IfThenElseZero(lanes_of(d, masks, first), hn::Set(d, scores[e])));
  }
  return hn::Add(even, odd);
}

CornerPair find_pair(const CornerRecord& record, const double* scores, const double* alpha,
                     double* h) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t lanes = record.lanes();
  const double infinity = std::numeric_limits<double>::infinity();
  auto most = hn::Set(d, -infinity);
  auto least = hn::Set(d, infinity);
  for (std::size_t p = 0; p < lanes; p += width) {
    const auto here = violations(d, record.losses() + p, record.masks() + p / kLanes,
                                 lanes / kLanes, p % kLanes, scores, record.elements());
    hn::StoreU(here, d, h + p);
    most = hn::Max(most, here);
    const auto is_active = hn::Gt(hn::LoadU(d, alpha + p), hn::Zero(d));
    least = hn::Min(least, hn::IfThenElse(is_active, here, hn::Set(d, infinity)));
  }
  most = hn::MaxOfLanes(d, most);
  least = hn::MinOfLanes(d, least);
  CornerPair pair;
  pair.difference = hn::GetLane(most) - hn::GetLane(least);
  const auto first_where = [&](auto is_it) HWY_ATTR {
    for (std::size_t p = 0; p < lanes; p += width) {
      const auto found = hn::FindFirstTrue(d, is_it(p));
      if (found >= 0) return static_cast<int>(p) + static_cast<int>(found);
    }
    return 0;
  };
  pair.best =
      first_where([&](std::size_t p) HWY_ATTR { return hn::Eq(hn::LoadU(d, h + p), most); });
  pair.worst = first_where([&](std::size_t p) HWY_ATTR {
    const auto is_active = hn::Gt(hn::LoadU(d, alpha + p), hn::Zero(d));
    return hn::And(is_active, hn::Eq(hn::LoadU(d, h + p), least));
  });
  return pair;
}

}  // namespace gapwise::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gapwise::internal {

HWY_EXPORT(find_pair);

namespace {

/// The features of a row and their values, which are all 1 if there are none.
struct RowFeatures {
  const std::uint32_t* offsets;
  const double* values;
  std::size_t count;

  double value(std::size_t f) const { return values == nullptr ? 1.0 : values[f]; }
};

/// sum_f value_f * w[offset_f]; features of even and odd rank are summed apart, for speed.
template <bool has_values>
double row_score(const double* w, const RowFeatures& row) {
  double even = 0.0;
  double odd = 0.0;
  std::size_t f = 0;
  for (; f + 1 < row.count; f += 2) {
    even += (has_values ? row.values[f] : 1.0) * w[row.offsets[f]];
    odd += (has_values ? row.values[f + 1] : 1.0) * w[row.offsets[f + 1]];
  }
  if (f < row.count) even += (has_values ? row.values[f] : 1.0) * w[row.offsets[f]];
  return even + odd;
}

/// The same of two elements at once: one loop whose end is guessed wrong once, not twice.
template <bool has_values>
void row_scores(const double* w, const double* w2, const RowFeatures& row, double& score,
                double& score2) {
  double even = 0.0;
  double odd = 0.0;
  double even2 = 0.0;
  double odd2 = 0.0;
  std::size_t f = 0;
  for (; f + 1 < row.count; f += 2) {
    const std::size_t at = row.offsets[f];
    const std::size_t next = row.offsets[f + 1];
    const double value = has_values ? row.values[f] : 1.0;
    const double next_value = has_values ? row.values[f + 1] : 1.0;
    even += value * w[at];
    even2 += value * w2[at];
    odd += next_value * w[next];
    odd2 += next_value * w2[next];
  }
  if (f < row.count) {
    even += row.value(f) * w[row.offsets[f]];
    even2 += row.value(f) * w2[row.offsets[f]];
  }
  score = even + odd;
  score2 = even2 + odd2;
}

template <bool has_values>
void score_elements(const CornerRecord& record, const double* w, double* scores) {
  const double* const factors = record.factors();
  const std::uint32_t* const bases = record.bases();
  RowFeatures features{record.offsets(), has_values ? record.values() : nullptr, 0};
  std::size_t e = 0;
  for (const CornerRecord::Row& row : record.rows()) {
    features.count = row.features;
    const std::size_t end = e + row.elements;
    for (; e + 1 < end; e += 2) {
      row_scores<has_values>(w + bases[e], w + bases[e + 1], features, scores[e], scores[e + 1]);
      scores[e] *= factors[e];
      scores[e + 1] *= factors[e + 1];
    }
    if (e < end) {
      scores[e] = factors[e] * row_score<has_values>(w + bases[e], features);
      ++e;
    }
    features.offsets += row.features;
    if (has_values) features.values += row.features;
  }
  for (; e < record.elements(); ++e) scores[e] = factors[e] * w[bases[e]];
}

/// Elements of a row that change, few at a time.
constexpr std::size_t kFew = 16;
struct Changes {
  std::size_t count = 0;
  std::uint32_t bases[kFew];
  double amounts[kFew];
};

/// w[base + offset_f] += amount * value_f; two elements share one loop, as in row_scores().
void add_row(const RowFeatures& row, const Changes& changes, double* w) {
  std::size_t k = 0;
  for (; k + 1 < changes.count; k += 2) {
    double* const one = w + changes.bases[k];
    double* const two = w + changes.bases[k + 1];
    for (std::size_t f = 0; f < row.count; ++f) {
      const std::size_t at = row.offsets[f];
      one[at] += changes.amounts[k] * row.value(f);
      two[at] += changes.amounts[k + 1] * row.value(f);
    }
  }
  if (k == changes.count) return;
  double* const last = w + changes.bases[k];
  for (std::size_t f = 0; f < row.count; ++f) {
    last[row.offsets[f]] += changes.amounts[k] * row.value(f);
  }
}

/// w += amount(e) * psi of element e, for all elements.
template <class Amount>
void add_elements(const CornerRecord& record, double* w, Amount amount) {
  const std::uint32_t* const bases = record.bases();
  RowFeatures features{record.offsets(), record.has_values() ? record.values() : nullptr, 0};
  Changes changes;
  std::size_t e = 0;
  for (const CornerRecord::Row& row : record.rows()) {
    features.count = row.features;
    for (std::size_t end = e + row.elements; e < end;) {
      changes.count = 0;
      for (const std::size_t stop = std::min(end, e + kFew); e < stop; ++e) {
        changes.bases[changes.count] = bases[e];  // taken back by the next one if nothing changes,
        changes.amounts[changes.count] = amount(e);  // which is cheaper than to guess
        changes.count += changes.amounts[changes.count] != 0.0 ? 1 : 0;
      }
      add_row(features, changes, w);
    }
    features.offsets += row.features;
    if (features.values != nullptr) features.values += row.features;
  }
  for (; e < record.elements(); ++e) w[bases[e]] += amount(e);
}

}  // namespace

CornerPair RecordVisit::find(const CornerRecord& record, const double* w, const double* alpha) {
  if (scores_.size() < record.elements()) scores_.resize(record.elements());
  if (h_.size() < record.lanes()) h_.resize(record.lanes());
  (record.has_values() ? score_elements<true> : score_elements<false>)(record, w, scores_.data());
  return HWY_DYNAMIC_DISPATCH(find_pair)(record, scores_.data(), alpha, h_.data());
}

void add_pair(const CornerRecord& record, int s, int a, double amount, double* w) {
  const double* const factors = record.factors();
  const std::size_t stride = record.lanes() / kLanes;
  const std::uint8_t* const of_s = record.masks() + static_cast<std::size_t>(s) / kLanes;
  const std::uint8_t* const of_a = record.masks() + static_cast<std::size_t>(a) / kLanes;
  const int shift_s = s % 8;
  const int shift_a = a % 8;
  const double signs[] = {-amount, 0.0, amount};
  add_elements(record, w, [&](std::size_t e) {
    const int difference = (of_s[e * stride] >> shift_s & 1) - (of_a[e * stride] >> shift_a & 1);
    return signs[difference + 1] * factors[e];
  });
}

void RecordVisit::fill_subset_sums(std::span<const double> amounts) {
  subset_sums_.resize(amounts.size() / 4 * kSubsets);
  double* sums = subset_sums_.data();
  for (std::size_t first = 0; first < amounts.size(); first += 4, sums += kSubsets) {
    sums[0] = 0.0;
    for (unsigned bit = 0; bit < 4; ++bit) {
      const unsigned half = 1U << bit;
      for (unsigned k = 0; k < half; ++k) sums[half + k] = sums[k] + amounts[first + bit];
    }
  }
}

void RecordVisit::add_corners(const CornerRecord& record, std::span<const double> amounts,
                              double scale, double* w) {
  fill_subset_sums(amounts);
  const double* const factors = record.factors();
  const std::uint8_t* const masks = record.masks();
  const std::size_t stride = record.lanes() / kLanes;
  add_elements(record, w, [&](std::size_t e) {
    double sum = 0.0;
    for (std::size_t byte = 0; byte < stride; ++byte) {
      const unsigned mask = masks[e * stride + byte];
      const double* const sums = subset_sums_.data() + 2 * kSubsets * byte;
      sum += sums[mask % kSubsets] + sums[kSubsets + mask / kSubsets];
    }
    return scale * factors[e] * sum;
  });
}

}  // namespace gapwise::internal
#endif  // HWY_ONCE
