#include "solve/online/scaled_iterate.h"

#include <algorithm>
#include <cmath>

namespace gapwise::internal {
namespace {

constexpr double kSmallestScale = 1e-4;
constexpr double kLargestScale = 1e4;

}  // namespace

ScaledIterate::ScaledIterate(Average kind, Index n, Index dimension, NonnegativeSet nonnegative,
                             bool counts_start)
    : kind_(kind),
      nonnegative_(std::move(nonnegative)),
      v_(static_cast<std::size_t>(dimension), 0.0),
      u_(is_averaged() ? v_.size() : 0, 0.0),
      scale_sum_(counts_start ? 1.0 : 0.0),
      weight_sum_(scale_sum_),
      next_restart_(n) {}

void ScaledIterate::start_at(Weights w) {
  std::copy(w.begin(), w.end(), v_.begin());
  nonnegative_.truncate(v_, v_);
}

void ScaledIterate::shrink(double factor) {
  s_ *= factor;
  if (!(std::abs(s_) >= kSmallestScale && std::abs(s_) <= kLargestScale)) fold();
}

/// s = 1 and S = 0 without changing w or the sum S v - u.
void ScaledIterate::fold() {
  for (std::size_t j = 0; j < u_.size(); ++j) u_[j] -= scale_sum_ * v_[j];
  for (double& x : v_) x *= s_;
  s_ = 1.0;
  scale_sum_ = 0.0;
}

void ScaledIterate::add(Oracle& oracle, Index i, const Parts& parts, double amount) {
  oracle.scatter(i, parts, amount / s_, v_);
  if (is_averaged() && scale_sum_ != 0.0) {
    oracle.scatter(i, parts, scale_sum_ * (amount / s_), u_);
  }
}

void ScaledIterate::project() {
  if (nonnegative_.is_empty()) return;
  if (s_ < 0.0) fold();
  nonnegative_.for_each([this](std::size_t j) {
    if (v_[j] >= 0.0) return;
    if (is_averaged()) u_[j] -= scale_sum_ * v_[j];
    v_[j] = 0.0;
  });
}

void ScaledIterate::end_step() {
  project();
  if (!is_averaged()) return;
  if (kind_ == Average::kSuffix && steps_ == next_restart_) {
    next_restart_ *= 2;
    std::fill(u_.begin(), u_.end(), 0.0);
    scale_sum_ = 0.0;
    weight_sum_ = 0.0;
  }
  ++steps_;
  const double weight = kind_ == Average::kWeighted ? static_cast<double>(steps_) : 1.0;
  scale_sum_ += weight * s_;
  weight_sum_ += weight;
}

void ScaledIterate::result(std::vector<double>& w) const {
  w.assign(v_.begin(), v_.end());
  if (steps_ == 0) {
    for (double& x : w) x *= s_;
  } else {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = (scale_sum_ * w[j] - u_[j]) / weight_sum_;
  }
  nonnegative_.truncate(w, w);  // a difference may be below 0 by rounding
}

void ScaledIterate::save(StateWriter& out) const {
  out.weights(v_);
  out.weights(u_);
  for (const double x : {s_, scale_sum_, weight_sum_}) out.f64(x);
  out.count(steps_);
  out.count(next_restart_);
}

void ScaledIterate::load(StateReader& in) {
  in.weights(v_);
  in.weights(u_);
  for (double* x : {&s_, &scale_sum_, &weight_sum_}) *x = in.finite();
  steps_ = in.count();
  next_restart_ = in.count();
  in.require(s_ != 0.0 && (!is_averaged() || steps_ == 0 || weight_sum_ > 0.0),
             "an iterate that no run can have");
}

}  // namespace gapwise::internal
