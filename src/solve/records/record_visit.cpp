#include "solve/records/record_visit.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/records/record_visit.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace gapwise::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, kLanes>;

/// The parts of a record that loops over its elements read.
struct Elements {
  explicit Elements(const CornerRecord& record)
      : factors(record.factors()),
        values(record.values()),
        bases(record.bases()),
        lists(record.lists()),
        offsets(record.offsets()),
        num_lists(record.num_lists()),
        count(record.elements()) {}

  const double* factors;
  const double* values;
  const std::uint32_t* bases;
  const CornerRecord::List* lists;
  const std::uint32_t* offsets;
  std::size_t num_lists;
  std::size_t count;
};

/// sum_f value_f * w[offset_f]; features of even and odd rank are summed apart, for speed.
template <bool has_values>
HWY_INLINE double score_list(const double* w, const std::uint32_t* offsets, const double* values,
                             std::size_t count) {
  double even = 0.0;
  double odd = 0.0;
  std::size_t f = 0;
  for (; f + 1 < count; f += 2) {
    even += (has_values ? values[f] : 1.0) * w[offsets[f]];
    odd += (has_values ? values[f + 1] : 1.0) * w[offsets[f + 1]];
  }
  if (f < count) even += (has_values ? values[f] : 1.0) * w[offsets[f]];
  return even + odd;
}

/// The same of two lists with the same values: one loop whose end is guessed wrong once, not twice.
template <bool has_values>
HWY_INLINE void score_lists(const double* w, const double* w2, const std::uint32_t* offsets,
                            const std::uint32_t* offsets2, const double* values, std::size_t count,
                            double& score, double& score2) {
  double even = 0.0;
  double odd = 0.0;
  double even2 = 0.0;
  double odd2 = 0.0;
  std::size_t f = 0;
  for (; f + 1 < count; f += 2) {
    const double value = has_values ? values[f] : 1.0;
    const double next_value = has_values ? values[f + 1] : 1.0;
    even += value * w[offsets[f]];
    even2 += value * w2[offsets2[f]];
    odd += next_value * w[offsets[f + 1]];
    odd2 += next_value * w2[offsets2[f + 1]];
  }
  if (f < count) {
    const double value = has_values ? values[f] : 1.0;
    even += value * w[offsets[f]];
    even2 += value * w2[offsets2[f]];
  }
  score = even + odd;
  score2 = even2 + odd2;
}

/// The scores of all elements, each times its factor.
template <bool has_values>
HWY_INLINE void score_elements(const Elements& all, const double* w, double* scores) {
  std::size_t e = 0;
  while (e < all.num_lists) {
    const CornerRecord::List& list = all.lists[e];
    const std::uint32_t* const offsets = all.offsets + list.first;
    const double* const values = has_values ? all.values + list.value : nullptr;
    if (e + 1 < all.num_lists && all.lists[e + 1].value == list.value) {
      double one;
      double two;
      const std::uint32_t* const offsets2 = all.offsets + all.lists[e + 1].first;
      if (offsets == offsets2) {
        score_lists<has_values>(w + all.bases[e], w + all.bases[e + 1], offsets, offsets, values,
                                list.count, one, two);
      } else {
        score_lists<has_values>(w + all.bases[e], w + all.bases[e + 1], offsets, offsets2, values,
                                list.count, one, two);
      }
      scores[e] = one * all.factors[e];
      scores[e + 1] = two * all.factors[e + 1];
      e += 2;
    } else {
      scores[e] =
          all.factors[e] * score_list<has_values>(w + all.bases[e], offsets, values, list.count);
      ++e;
    }
  }
  for (; e < all.count; ++e) scores[e] = all.factors[e] * w[all.bases[e]];
}

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

HWY_INLINE CornerPair pick(const CornerRecord& record, const double* scores, const double* alpha,
                           double* h) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t lanes = record.lanes();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto none = hn::Set(d, infinity);
  auto most = hn::Set(d, -infinity);
  auto least = none;
  for (std::size_t p = 0; p < lanes; p += width) {
    const auto here = violations(d, record.losses() + p, record.masks() + p / kLanes,
                                 lanes / kLanes, p % kLanes, scores, record.elements());
    hn::StoreU(here, d, h + p);
    most = hn::Max(most, here);
    const auto is_active = hn::Gt(hn::LoadU(d, alpha + p), hn::Zero(d));
    least = hn::Min(least, hn::IfThenElse(is_active, here, none));
  }
  most = hn::MaxOfLanes(d, most);
  least = hn::MinOfLanes(d, least);
  CornerPair pair;
  pair.difference = hn::GetLane(most) - hn::GetLane(least);
  for (std::size_t p = lanes; p > 0; p -= width) {
    const std::size_t first = p - width;
    const auto here = hn::LoadU(d, h + first);
    const auto is_active = hn::Gt(hn::LoadU(d, alpha + first), hn::Zero(d));
    const auto best = hn::FindFirstTrue(d, hn::Eq(here, most));
    const auto worst = hn::FindFirstTrue(d, hn::And(is_active, hn::Eq(here, least)));
    if (best >= 0) pair.best = static_cast<int>(first) + static_cast<int>(best);
    if (worst >= 0) pair.worst = static_cast<int>(first) + static_cast<int>(worst);
  }
  return pair;
}

template <bool has_values>
HWY_INLINE void add_list(double* w, const std::uint32_t* offsets, const double* values,
                         std::size_t count, double amount) {
  for (std::size_t f = 0; f < count; ++f) {
    w[offsets[f]] += has_values ? amount * values[f] : amount;
  }
}

template <bool has_values>
HWY_INLINE void add_lists(double* w, double* w2, const std::uint32_t* offsets,
                          const std::uint32_t* offsets2, const double* values, std::size_t count,
                          double amount, double amount2) {
  for (std::size_t f = 0; f < count; ++f) {
    w[offsets[f]] += has_values ? amount * values[f] : amount;
    w2[offsets2[f]] += has_values ? amount2 * values[f] : amount2;
  }
}

/// Elements that change, few at a time, so that nothing has to be guessed on the way to them.
constexpr std::size_t kFew = 64;

/// w += amount(e) * psi of element e, for all elements.
template <bool has_values, class Amount>
HWY_INLINE void add_elements(const Elements& all, double* w, Amount amount) {
  std::uint32_t changed[kFew];
  double amounts[kFew];
  for (std::size_t e = 0; e < all.num_lists;) {
    std::size_t count = 0;
    for (const std::size_t end = std::min(all.num_lists, e + kFew); e < end; ++e) {
      changed[count] = static_cast<std::uint32_t>(e);  // overwritten if nothing changes
      amounts[count] = amount(e);
      count += amounts[count] != 0.0 ? 1 : 0;
    }
    for (std::size_t k = 0; k < count;) {
      const std::size_t one = changed[k];
      const CornerRecord::List& list = all.lists[one];
      const std::uint32_t* const offsets = all.offsets + list.first;
      const double* const values = has_values ? all.values + list.value : nullptr;
      if (k + 1 < count && all.lists[changed[k + 1]].value == list.value) {
        const std::size_t two = changed[k + 1];
        const std::uint32_t* const offsets2 = all.offsets + all.lists[two].first;
        if (offsets == offsets2) {
          add_lists<has_values>(w + all.bases[one], w + all.bases[two], offsets, offsets, values,
                                list.count, amounts[k], amounts[k + 1]);
        } else {
          add_lists<has_values>(w + all.bases[one], w + all.bases[two], offsets, offsets2, values,
                                list.count, amounts[k], amounts[k + 1]);
        }
        k += 2;
      } else {
        add_list<has_values>(w + all.bases[one], offsets, values, list.count, amounts[k]);
        ++k;
      }
    }
  }
  for (std::size_t e = all.num_lists; e < all.count; ++e) w[all.bases[e]] += amount(e);
}

/// w += amount * (psi_s - psi_a).
template <bool has_values>
HWY_INLINE void add_pair(const CornerRecord& record, const Elements& all, int s, int a,
                         double amount, double* w) {
  const double* const factors = all.factors;
  const std::size_t stride = record.lanes() / kLanes;
  const std::uint8_t* const of_s = record.masks() + static_cast<std::size_t>(s) / kLanes;
  const std::uint8_t* const of_a = record.masks() + static_cast<std::size_t>(a) / kLanes;
  const int shift_s = s % 8;
  const int shift_a = a % 8;
  const double signs[] = {-amount, 0.0, amount};
  add_elements<has_values>(all, w, [&](std::size_t e) HWY_ATTR {
    const int difference = (of_s[e * stride] >> shift_s & 1) - (of_a[e * stride] >> shift_a & 1);
    return signs[difference + 1] * factors[e];
  });
}

CornerPair find_pair(const CornerRecord& record, const double* w, const double* alpha,
                     double* scores, double* h) {
  const Elements all(record);
  if (record.has_values()) {
    score_elements<true>(all, w, scores);
  } else {
    score_elements<false>(all, w, scores);
  }
  return pick(record, scores, alpha, h);
}

/// |psi_s - psi_a|^2; `zeros` are zeros, and again so at the end.
double find_distance(const CornerRecord& record, int s, int a, double* zeros) {
  const Elements all(record);
  if (record.has_values()) {
    add_pair<true>(record, all, s, a, 1.0, zeros);
  } else {
    add_pair<false>(record, all, s, a, 1.0, zeros);
  }
  double sum = 0.0;
  const auto take = [&](double& x) HWY_ATTR {
    sum += x * x;
    x = 0.0;
  };
  const std::size_t stride = record.lanes() / kLanes;
  const auto has = [&](std::size_t e, int p) HWY_ATTR {
    const auto corner = static_cast<std::size_t>(p);
    return record.masks()[e * stride + corner / kLanes] >> (corner % kLanes) & 1;
  };
  for (std::size_t e = 0; e < all.count; ++e) {
    if (has(e, s) == has(e, a)) continue;
    double* const from = zeros + all.bases[e];
    if (e >= all.num_lists) {
      take(*from);
      continue;
    }
    const CornerRecord::List& list = all.lists[e];
    for (std::size_t f = 0; f < list.count; ++f) take(from[all.offsets[list.first + f]]);
  }
  return sum;
}

/// Blocks lie anywhere in memory: what comes soon is fetched meanwhile, first where a record
/// begins, and all of it once that is there.
HWY_INLINE void prefetch_coming(std::span<const RecordCall> calls, std::size_t k) {
  constexpr std::size_t kHeadAhead = 6;
  constexpr std::size_t kAllAhead = 3;
  constexpr std::size_t kWordsPerLine = 8;
  constexpr std::size_t kFetchedWords = 256;
  if (k + kHeadAhead < calls.size()) __builtin_prefetch(calls[k + kHeadAhead].record);
  if (k + kAllAhead >= calls.size()) return;
  const RecordCall& soon = calls[k + kAllAhead];
  const std::size_t words = std::min(CornerRecord::words_at(soon.record), kFetchedWords);
  for (std::size_t at = kWordsPerLine; at < words; at += kWordsPerLine) {
    __builtin_prefetch(soon.record + at);
  }
  __builtin_prefetch(soon.alpha);
}

VisitSum visit_all(std::span<const RecordCall> calls, double n, double scale, double* w,
                   double* scores, double* h, double* zeros, double* gaps) {
  VisitSum sum;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    prefetch_coming(calls, k);
    CornerRecord record(calls[k].record);
    const Elements all(record);
    double* const alpha = calls[k].alpha;
    const bool has_values = record.has_values();
    if (has_values) {
      score_elements<true>(all, w, scores);
    } else {
      score_elements<false>(all, w, scores);
    }
    const CornerPair pair = pick(record, scores, alpha, h);
    const int s = pair.best;
    const int a = pair.worst;
    sum.elements += all.count;
    calls[k].used[s] = 1;
    const double slope = pair.difference / n;
    gaps[k] = slope;
    if (slope <= 0.0) continue;
    double& distance = record.distances()[CornerRecord::pair(s, a)];
    if (std::isnan(distance)) distance = find_distance(record, s, a, zeros);
    const double curvature = distance * scale / n;
    const bool drops = slope >= curvature * alpha[a];
    const double gamma = drops ? alpha[a] : slope / curvature;
    alpha[s] += gamma;
    alpha[a] = drops ? 0.0 : alpha[a] - gamma;
    if (has_values) {
      add_pair<true>(record, all, s, a, gamma * scale, w);
    } else {
      add_pair<false>(record, all, s, a, gamma * scale, w);
    }
    sum.ell += gamma * (record.losses()[s] - record.losses()[a]) / n;
    sum.gain += gamma * (slope - 0.5 * gamma * curvature);
  }
  return sum;
}

/// w += scale * sum_p amount_p psi_p, from the sums of all subsets of four amounts.
void add_weighted(const CornerRecord& record, const double* subsets, double scale, double* w) {
  const Elements all(record);
  const std::uint8_t* const masks = record.masks();
  const std::size_t stride = record.lanes() / kLanes;
  const auto amount = [&](std::size_t e) HWY_ATTR {
    double sum = 0.0;
    for (std::size_t byte = 0; byte < stride; ++byte) {
      const unsigned mask = masks[e * stride + byte];
      const double* const sums = subsets + 2 * kSubsets * byte;
      sum += sums[mask % kSubsets] + sums[kSubsets + mask / kSubsets];
    }
    return scale * all.factors[e] * sum;
  };
  if (record.has_values()) {
    add_elements<true>(all, w, amount);
  } else {
    add_elements<false>(all, w, amount);
  }
}

}  // namespace gapwise::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gapwise::internal {

HWY_EXPORT(find_pair);
HWY_EXPORT(find_distance);
HWY_EXPORT(visit_all);
HWY_EXPORT(add_weighted);

void RecordVisit::make_room(std::size_t weights, std::size_t elements, std::size_t lanes) {
  if (zeros_.size() < weights) zeros_.resize(weights, 0.0);
  if (scores_.size() < elements) scores_.resize(elements);
  if (h_.size() < lanes) h_.resize(lanes);
}

CornerPair RecordVisit::find(const CornerRecord& record, const double* w, const double* alpha) {
  make_room(0, record.elements(), record.lanes());
  return HWY_DYNAMIC_DISPATCH(find_pair)(record, w, alpha, scores_.data(), h_.data());
}

double RecordVisit::distance(const CornerRecord& record, int s, int a) {
  return HWY_DYNAMIC_DISPATCH(find_distance)(record, s, a, zeros_.data());
}

VisitSum RecordVisit::visit(std::span<const RecordCall> calls, double n, double scale, double* w,
                            std::span<double> gaps) {
  return HWY_DYNAMIC_DISPATCH(visit_all)(calls, n, scale, w, scores_.data(), h_.data(),
                                         zeros_.data(), gaps.data());
}

void RecordVisit::add_corners(const CornerRecord& record, std::span<const double> amounts,
                              double scale, double* w) {
  subsets_.resize(amounts.size() / 4 * kSubsets);
  double* sums = subsets_.data();
  for (std::size_t first = 0; first < amounts.size(); first += 4, sums += kSubsets) {
    sums[0] = 0.0;
    for (unsigned bit = 0; bit < 4; ++bit) {
      const unsigned half = 1U << bit;
      for (unsigned k = 0; k < half; ++k) sums[half + k] = sums[k] + amounts[first + bit];
    }
  }
  HWY_DYNAMIC_DISPATCH(add_weighted)(record, subsets_.data(), scale, w);
}

}  // namespace gapwise::internal
#endif  // HWY_ONCE
