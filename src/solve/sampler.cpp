#include "solve/sampler.h"

#include <algorithm>
#include <numeric>

namespace gapwise::internal {
namespace {
constexpr double kUniformShare = 0.05;
}  // namespace

Sampler::Sampler(Sampling kind, Index n, const std::vector<Index>& order)
    : kind_(kind), order_(order) {
  if (order_.empty()) {
    order_.resize(static_cast<std::size_t>(n));
    std::iota(order_.begin(), order_.end(), Index{0});
  }
}

Index Sampler::next(Rng& rng, const GapTracker& gaps) {
  if (kind_ == Sampling::kUniform) return rng.below(std::ssize(order_));
  if (kind_ == Sampling::kGap && !is_first_pass_) {
    const double total = gaps.tree().total();
    if (!(total > 0.0) || rng.uniform() < kUniformShare) return rng.below(std::ssize(order_));
    return gaps.tree().find(rng.uniform() * total);
  }
  if (at_ == 0 && kind_ != Sampling::kCyclic) rng.shuffle(std::span(order_));
  const Index i = order_[at_];
  at_ = at_ + 1 == order_.size() ? 0 : at_ + 1;
  if (at_ == 0) is_first_pass_ = false;
  return i;
}

void Sampler::save(ByteWriter& out) const {
  out.u64(at_);
  out.u8(is_first_pass_);
  out.i64s(order_);
}

void Sampler::load(ByteReader& in) {
  const std::uint64_t at = in.u64();
  is_first_pass_ = in.u8() != 0;
  std::vector<Index> order = in.i64s();
  const auto in_range = [&](Index i) { return i >= 0 && i < std::ssize(order_); };
  if (order.size() != order_.size() || at >= order.size() ||
      !std::all_of(order.begin(), order.end(), in_range)) {
    in.fail("holds a visiting order that does not fit the data; it is damaged");
  }
  order_ = std::move(order);
  at_ = static_cast<std::size_t>(at);
}

}  // namespace gapwise::internal
