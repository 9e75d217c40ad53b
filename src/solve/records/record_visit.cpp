#include "solve/records/record_visit.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/records/record_visit.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

#include <bit>
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

/// sum_f value_f * w[offset_f], for one base or two; features of even and odd rank apart.
double row_score(const double* w, const std::uint32_t* offsets, std::size_t features) {
  double even = 0.0;
  double odd = 0.0;
  std::size_t f = 0;
  for (; f + 1 < features; f += 2) {
    even += w[offsets[f]];
    odd += w[offsets[f + 1]];
  }
  if (f < features) even += w[offsets[f]];
  return even + odd;
}

double row_score(const double* w, const std::uint32_t* offsets, const double* values,
                 std::size_t features) {
  double even = 0.0;
  double odd = 0.0;
  std::size_t f = 0;
  for (; f + 1 < features; f += 2) {
    even += values[f] * w[offsets[f]];
    odd += values[f + 1] * w[offsets[f + 1]];
  }
  if (f < features) even += values[f] * w[offsets[f]];
  return even + odd;
}

/// visit(e, base, offsets, values, features) for all elements; singles have one feature, at 0.
template <class Visit>
void for_each_element(const CornerRecord& record, Visit visit) {
  static constexpr std::uint32_t kSelf = 0;
  static constexpr double kOne = 1.0;
  const std::uint32_t* const bases = record.bases();
  const std::uint32_t* offsets = record.offsets();
  const double* values = record.values();
  std::size_t e = 0;
  for (const CornerRecord::Row& row : record.rows()) {
    for (std::uint32_t left = row.elements; left > 0; --left, ++e) {
      visit(e, bases[e], offsets, values, row.features);
    }
    offsets += row.features;
    values += row.features;
  }
  for (; e < record.elements(); ++e) visit(e, bases[e], &kSelf, &kOne, 1);
}

void score_elements(const CornerRecord& record, const double* w, double* scores) {
  const double* const factors = record.factors();
  const std::uint32_t* const bases = record.bases();
  const std::uint32_t* offsets = record.offsets();
  const double* values = record.values();
  const bool has_values = record.has_values();
  std::size_t e = 0;
  for (const CornerRecord::Row& row : record.rows()) {
    for (std::uint32_t left = row.elements; left > 0; --left, ++e) {
      scores[e] = factors[e] * (has_values ? row_score(w + bases[e], offsets, values, row.features)
                                           : row_score(w + bases[e], offsets, row.features));
    }
    offsets += row.features;
    values += row.features;
  }
  for (; e < record.elements(); ++e) scores[e] = factors[e] * w[bases[e]];
}

void add_element(double* w, const std::uint32_t* offsets, const double* values,
                 std::size_t features, double amount) {
  if (values != nullptr) {
    for (std::size_t f = 0; f < features; ++f) w[offsets[f]] += amount * values[f];
  } else {
    for (std::size_t f = 0; f < features; ++f) w[offsets[f]] += amount;
  }
}

}  // namespace

CornerPair RecordVisit::find(const CornerRecord& record, const double* w, const double* alpha) {
  if (scores_.size() < record.elements()) scores_.resize(record.elements());
  if (h_.size() < record.lanes()) h_.resize(record.lanes());
  score_elements(record, w, scores_.data());
  return HWY_DYNAMIC_DISPATCH(find_pair)(record, scores_.data(), alpha, h_.data());
}

void add_pair(const CornerRecord& record, int s, int a, double amount, double* w) {
  const double* const factors = record.factors();
  const bool has_values = record.has_values();
  const std::uint8_t* const masks = record.masks();
  const std::size_t stride = record.lanes() / kLanes;
  const auto has = [=](std::size_t e, int p) {
    return masks[e * stride + static_cast<std::size_t>(p) / kLanes] >> (p % 8) & 1;
  };
  for_each_element(record, [&](std::size_t e, std::uint32_t base, const std::uint32_t* offsets,
                               const double* values, std::size_t features) {
    const int difference = has(e, s) - has(e, a);
    if (difference == 0) return;
    const double change = difference * amount * factors[e];
    add_element(w + base, offsets, has_values ? values : nullptr, features, change);
  });
}

void add_corners(const CornerRecord& record, std::span<const double> amounts, double scale,
                 double* w) {
  const double* const factors = record.factors();
  const bool has_values = record.has_values();
  const std::uint8_t* const masks = record.masks();
  const std::size_t stride = record.lanes() / kLanes;
  for_each_element(record, [&](std::size_t e, std::uint32_t base, const std::uint32_t* offsets,
                               const double* values, std::size_t features) {
    double sum = 0.0;
    for (std::size_t byte = 0; byte < stride; ++byte) {
      const double* const group = amounts.data() + byte * kLanes;
      for (unsigned bits = masks[e * stride + byte]; bits != 0; bits &= bits - 1) {
        sum += group[std::countr_zero(bits)];
      }
    }
    if (sum == 0.0) return;
    add_element(w + base, offsets, has_values ? values : nullptr, features,
                scale * factors[e] * sum);
  });
}

}  // namespace gapwise::internal
#endif  // HWY_ONCE
