// Forward sums with one exponential per transition; backwards, the shares that each previous label
// had in the sums are all that is needed, so nothing is exponentiated twice:
//   p(y_{t-1} = j | y_t = k) = share_t(j, k) / total_t(k),
//   p(y_{t-1} = j, y_t = k) = p(y_t = k) share_t(j, k) / total_t(k).

#include "infer/sum_product.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "infer/sum_product.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/stop.h"

HWY_BEFORE_NAMESPACE();
namespace gapwise::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// exp(x) for x <= 0 to a few units in the last place, and 0 where it is below 1e-307: 2^n times
/// the Taylor series of the rest. Products and sums are never fused, so that every instruction set
/// gives the same bits.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_nonpositive(D d, V x) {
  constexpr double kRoundingShift = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to integers
  constexpr double kLn2High = 0.693147180369123816490;   // its last 32 bits are zero
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  constexpr std::array<double, 14> kOverFactorial{1.0,
                                                  1.0,
                                                  1.0 / 2,
                                                  1.0 / 6,
                                                  1.0 / 24,
                                                  1.0 / 120,
                                                  1.0 / 720,
                                                  1.0 / 5040,
                                                  1.0 / 40320,
                                                  1.0 / 362880,
                                                  1.0 / 3628800,
                                                  1.0 / 39916800,
                                                  1.0 / 479001600,
                                                  1.0 / 6227020800};
  const hn::RebindToSigned<D> di;
  const V shift = hn::Set(d, kRoundingShift);
  const V least = hn::Set(d, -707.0);
  const V bounded = hn::Max(x, least);
  const V shifted = hn::Add(hn::Mul(bounded, hn::Set(d, 1.4426950408889634)), shift);
  const V n = hn::Sub(shifted, shift);
  const V high = hn::Sub(bounded, hn::Mul(n, hn::Set(d, kLn2High)));
  const V r = hn::Sub(high, hn::Mul(n, hn::Set(d, kLn2Low)));
  V sum = hn::Set(d, kOverFactorial.back());
  for (std::size_t k = kOverFactorial.size() - 1; k-- > 0;) {
    sum = hn::Add(hn::Mul(sum, r), hn::Set(d, kOverFactorial[k]));
  }
  const auto exponent = hn::ShiftLeft<52>(hn::BitCast(di, shifted));
  const V result = hn::BitCast(d, hn::Add(hn::BitCast(di, sum), exponent));
  return hn::IfThenZeroElse(hn::Lt(x, least), result);
}

/// One step for all labels: shares[j * labels + k] = masses[j] exp(tops[j] + pairs[j * labels + k]
/// - best[k]), where best[k] is the largest exponent; totals[k] is their sum over j.
template <class D>
void step_with(D d, const double* tops, const double* masses, const double* pairs,
               std::size_t labels, double* best, double* shares, double* totals) {
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t first = 0; first < labels; first += lanes) {
    const std::size_t at = std::min(first, labels - lanes);  // the last one may overlap
    auto top = hn::Add(hn::Set(d, tops[0]), hn::LoadU(d, pairs + at));
    for (std::size_t j = 1; j < labels; ++j) {
      top = hn::Max(top, hn::Add(hn::Set(d, tops[j]), hn::LoadU(d, pairs + j * labels + at)));
    }
    auto total = hn::Zero(d);
    for (std::size_t j = 0; j < labels; ++j) {
      const auto x = hn::Add(hn::Set(d, tops[j]), hn::LoadU(d, pairs + j * labels + at));
      const auto share = hn::Mul(hn::Set(d, masses[j]), exp_nonpositive(d, hn::Sub(x, top)));
      hn::StoreU(share, d, shares + j * labels + at);
      total = hn::Add(total, share);
    }
    hn::StoreU(top, d, best + at);
    hn::StoreU(total, d, totals + at);
  }
}

template <class D>
void exp_all_with(D d, std::size_t count, double* values) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t at = 0;
  for (; at + lanes <= count; at += lanes) {
    hn::StoreU(exp_nonpositive(d, hn::LoadU(d, values + at)), d, values + at);
  }
  const hn::CappedTag<double, 1> one;
  for (; at < count; ++at) {
    hn::StoreU(exp_nonpositive(one, hn::LoadU(one, values + at)), one, values + at);
  }
}

void sum_step(const double* tops, const double* masses, const double* pairs, std::size_t labels,
              double* best, double* shares, double* totals) {
  const hn::ScalableTag<double> widest;
  if (labels >= hn::Lanes(widest)) {
    step_with(widest, tops, masses, pairs, labels, best, shares, totals);
  } else if (labels >= 4) {
    step_with(hn::CappedTag<double, 4>(), tops, masses, pairs, labels, best, shares, totals);
  } else if (labels >= 2) {
    step_with(hn::CappedTag<double, 2>(), tops, masses, pairs, labels, best, shares, totals);
  } else {
    step_with(hn::CappedTag<double, 1>(), tops, masses, pairs, labels, best, shares, totals);
  }
}

/// values[k] = exp(values[k]), none of them above 0.
void exp_all(std::size_t count, double* values) {
  exp_all_with(hn::ScalableTag<double>(), count, values);
}

}  // namespace gapwise::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gapwise::internal {

HWY_EXPORT(sum_step);
HWY_EXPORT(exp_all);

namespace {

constexpr std::size_t kWorkOfExp = 10;  ///< additions that an exponential takes as long as

void forward(const ChainScores& scores, SumProductScratch& scratch) {
  constexpr double kLn2 = 0.6931471805599453;
  const auto length = static_cast<std::size_t>(scores.length);
  const auto labels = static_cast<std::size_t>(scores.labels);
  const std::size_t square = labels * labels;
  scratch.tops.resize(length * labels);
  scratch.masses.resize(length * labels);
  scratch.shares.resize((length - 1) * square);
  scratch.totals.resize(length * labels);
  std::copy_n(scores.nodes, labels, scratch.tops.begin());
  std::fill_n(scratch.masses.begin(), labels, 1.0);
  StopPoll poll;
  for (std::size_t t = 1; t < length; ++t) {
    poll.spend(kWorkOfExp * square);
    double* tops = &scratch.tops[t * labels];
    double* masses = &scratch.masses[t * labels];
    const double* totals = &scratch.totals[t * labels];
    HWY_DYNAMIC_DISPATCH(sum_step)
    (tops - labels, masses - labels,
     scores.pairs + (scores.pairs_per_position ? (t - 1) * square : 0), labels, tops,
     &scratch.shares[(t - 1) * square], &scratch.totals[t * labels]);
    for (std::size_t k = 0; k < labels; ++k) {
      int exponent = 0;
      masses[k] = 2.0 * std::frexp(totals[k], &exponent);
      tops[k] += scores.nodes[t * labels + k] + (exponent - 1) * kLn2;
    }
  }
}

/// The probabilities of the labels at the last position; returns the log of the sum.
double finish(std::size_t labels, const double* tops, const double* masses, double* out) {
  const double top = *std::max_element(tops, tops + labels);
  for (std::size_t k = 0; k < labels; ++k) out[k] = tops[k] - top;
  HWY_DYNAMIC_DISPATCH(exp_all)(labels, out);
  double total = 0.0;
  for (std::size_t k = 0; k < labels; ++k) {
    out[k] *= masses[k];
    total += out[k];
  }
  for (std::size_t k = 0; k < labels; ++k) out[k] /= total;
  return top + std::log(total);
}

/// From the probabilities of one position to those of the step into it, which are added to
/// `pairs`, and of the position before. `ratios` are probabilities over totals. Sums run in four
/// strands, which compilers can vectorise without reordering anything.
void backward_step(std::size_t labels, const double* shares, const double* ratios, double* pairs,
                   double* previous) {
  for (std::size_t j = 0; j < labels; ++j) {
    const double* share = shares + j * labels;
    double* pair = pairs + j * labels;
    std::array<double, 4> sums{};
    std::size_t k = 0;
    for (; k + 4 <= labels; k += 4) {
      for (std::size_t strand = 0; strand < 4; ++strand) {
        const double joint = ratios[k + strand] * share[k + strand];
        pair[k + strand] += joint;
        sums[strand] += joint;
      }
    }
    for (; k < labels; ++k) {
      const double joint = ratios[k] * share[k];
      pair[k] += joint;
      sums[0] += joint;
    }
    previous[j] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
}

}  // namespace

double sum_product(const ChainScores& scores, SumProductScratch& scratch, std::span<double> nodes,
                   std::span<double> pairs) {
  const auto length = static_cast<std::size_t>(scores.length);
  const auto labels = static_cast<std::size_t>(scores.labels);
  const std::size_t square = labels * labels;
  forward(scores, scratch);
  const std::size_t last = (length - 1) * labels;
  const double log_sum =
      finish(labels, &scratch.tops[last], &scratch.masses[last], nodes.data() + last);
  std::fill(pairs.begin(), pairs.end(), 0.0);
  StopPoll poll;
  for (std::size_t t = length - 1; t > 0; --t) {
    poll.spend(square);
    double* ratios = &scratch.totals[t * labels];
    for (std::size_t k = 0; k < labels; ++k) ratios[k] = nodes[t * labels + k] / ratios[k];
    backward_step(labels, &scratch.shares[(t - 1) * square], ratios,
                  pairs.data() + (scores.pairs_per_position ? (t - 1) * square : 0),
                  nodes.data() + (t - 1) * labels);
  }
  return log_sum;
}

}  // namespace gapwise::internal
#endif  // HWY_ONCE
