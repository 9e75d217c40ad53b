#include "solve/sampler.h"

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

void Sampler::save(StateWriter& out) const {
  out.count(at_);
  out.flag(is_first_pass_);
  if (!shuffles()) return;
  for (const Index i : order_) out.count(i);
}

void Sampler::load(StateReader& in) {
  at_ = static_cast<std::size_t>(in.count_up_to(std::ssize(order_) - 1));
  is_first_pass_ = in.flag();
  if (shuffles()) order_ = in.distinct(order_.size(), std::ssize(order_));
}

}  // namespace gapwise::internal
