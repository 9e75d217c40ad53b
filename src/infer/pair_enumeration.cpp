#include "infer/pair_enumeration.h"

#include <algorithm>

namespace gapwise {

void PairEnumeration::run(const PairProblem& problem, std::span<std::uint8_t> on) {
  prepare(problem);
  visit(0, 0.0, 0);
  const std::size_t size = problem.size();
  for (std::size_t k = 0; k < size; ++k) {
    on[problem.name(k)] = static_cast<std::uint8_t>((best_set_ >> (size - 1 - k)) & 1U);
  }
}

void PairEnumeration::prepare(const PairProblem& problem) {
  problem_ = &problem;
  const std::size_t size = problem.size();
  tail_ = std::min(size, kTableLabels);
  head_ = size - tail_;
  has_best_ = false;
  gains_.resize((head_ + 1) * size);
  attraction_.assign(size, 0.0);
  for (std::size_t k = 0; k < size; ++k) {
    gains_[k] = problem.single(k);
    for (std::size_t j = k + 1; j < size; ++j) {
      attraction_[k] += std::max(problem.row(k)[j], 0.0);
    }
  }
  pair_sums_[0] = 0.0;
  for (std::size_t bit = 0; bit < tail_; ++bit) {
    const double* pairs = problem.row(size - 1 - bit);
    const std::size_t half = std::size_t{1} << bit;
    pair_sums_[half] = 0.0;
    // The sum of the pairs of label `bit` with the labels of a smaller set, one label at a time.
    for (std::size_t lower = 0; lower < bit; ++lower) {
      const std::size_t step = std::size_t{1} << lower;
      for (std::size_t set = 0; set < step; ++set) {
        pair_sums_[half + step + set] = pair_sums_[half + set] + pairs[size - 1 - lower];
      }
    }
    for (std::size_t set = 0; set < half; ++set) pair_sums_[half + set] += pair_sums_[set];
  }
}

double PairEnumeration::bound(std::size_t depth, double value, const double* gains) const {
  for (std::size_t k = depth; k < problem_->size(); ++k) {
    value += std::max(gains[k] + attraction_[k], 0.0);
  }
  return value;
}

void PairEnumeration::visit(std::size_t depth, double value, std::uint64_t set) {
  const std::size_t size = problem_->size();
  const double* gains = gains_.data() + depth * size;
  if (depth == head_) return visit_table(value, gains, set);
  if (has_best_ && bound(depth, value, gains) <= best_) return;
  double* next = gains_.data() + (depth + 1) * size;
  std::copy(gains + depth + 1, gains + size, next + depth + 1);
  visit(depth + 1, value, set << 1U);
  const double* pairs = problem_->row(depth);
  for (std::size_t k = depth + 1; k < size; ++k) next[k] = gains[k] + pairs[k];
  visit(depth + 1, value + gains[depth], (set << 1U) | 1U);
}

void PairEnumeration::visit_table(double value, const double* gains, std::uint64_t set) {
  constexpr std::size_t kLanes = 8;
  const std::size_t count = std::size_t{1} << tail_;
  values_[0] = value;
  for (std::size_t bit = 0; bit < tail_; ++bit) {
    const std::size_t half = std::size_t{1} << bit;
    const double gain = gains[problem_->size() - 1 - bit];
    for (std::size_t s = 0; s < half; ++s) values_[half + s] = values_[s] + gain;
  }
  for (std::size_t s = 0; s < count; ++s) values_[s] += pair_sums_[s];
  std::fill(values_.begin() + static_cast<std::ptrdiff_t>(count),
            values_.begin() + static_cast<std::ptrdiff_t>(std::max(count, kLanes)), values_[0]);
  std::array<double, kLanes> largest;
  std::copy_n(values_.begin(), kLanes, largest.begin());
  for (std::size_t s = kLanes; s < count; s += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      largest[lane] = values_[s + lane] > largest[lane] ? values_[s + lane] : largest[lane];
    }
  }
  const double top = *std::max_element(largest.begin(), largest.end());
  if (has_best_ && top <= best_) return;
  has_best_ = true;
  best_ = top;
  const auto first = std::find(values_.begin(), values_.end(), top) - values_.begin();
  best_set_ = (set << tail_) | static_cast<std::uint64_t>(first);
}

}  // namespace gapwise
