#include "infer/pair_enumeration.h"

#include <algorithm>
#include <limits>

namespace gapwise::internal {

void PairEnumeration::run(const PairProblem& problem, std::span<std::uint8_t> on) {
  prepare(problem);
  visits_left_ = std::numeric_limits<std::size_t>::max();
  best_ = -std::numeric_limits<double>::infinity();
  visit(0, 0.0);
  write_best(on);
}

double PairEnumeration::improve(const PairProblem& problem, std::size_t max_visits,
                                std::span<std::uint8_t> on) {
  prepare(problem);
  visits_left_ = max_visits;
  best_ = 0.0;
  for (std::size_t k = 0; k < problem.size(); ++k) {
    best_set_[k] = on[problem.name(k)];
    if (best_set_[k] == 0) continue;
    best_ += problem.single(k);
    for (std::size_t j = 0; j < k; ++j) best_ += best_set_[j] * problem.row(k)[j];
  }
  visit(0, 0.0);
  write_best(on);
  return std::max(best_, skipped_);
}

void PairEnumeration::write_best(std::span<std::uint8_t> on) const {
  for (std::size_t k = 0; k < problem_->size(); ++k) on[problem_->name(k)] = best_set_[k];
}

void PairEnumeration::prepare(const PairProblem& problem) {
  problem_ = &problem;
  const std::size_t size = problem.size();
  tail_ = std::min(size, kTableLabels);
  head_ = size - tail_;
  set_.assign(head_, 0);
  best_set_.assign(size, 0);
  skipped_ = -std::numeric_limits<double>::infinity();
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

/// Leaves out the negative scores of pairs but for those of neighbours, which makes the open labels
/// a chain with the best set found from left to right; counts positive ones whether or not the
/// later label is on.
double PairEnumeration::bound(std::size_t depth, double value, const double* gains) const {
  double off = value;
  double on = -std::numeric_limits<double>::infinity();
  for (std::size_t k = depth; k < problem_->size(); ++k) {
    const double before = k == depth ? 0.0 : std::min(problem_->row(k)[k - 1], 0.0);
    const double with = std::max(off, on + before) + gains[k] + attraction_[k];
    off = std::max(off, on);
    on = with;
  }
  return std::max(off, on);
}

void PairEnumeration::visit(std::size_t depth, double value) {
  const std::size_t size = problem_->size();
  const double* gains = gains_.data() + depth * size;
  const double most = bound(depth, value, gains);
  if (most <= best_) return;
  if (visits_left_ == 0) {
    skipped_ = std::max(skipped_, most);
    return;
  }
  --visits_left_;
  poll_.spend(depth == head_ ? kTableSize : size);
  if (depth == head_) return visit_table(value, gains);
  double* next = gains_.data() + (depth + 1) * size;
  std::copy(gains + depth + 1, gains + size, next + depth + 1);
  set_[depth] = 0;
  visit(depth + 1, value);
  const double* pairs = problem_->row(depth);
  for (std::size_t k = depth + 1; k < size; ++k) next[k] = gains[k] + pairs[k];
  set_[depth] = 1;
  visit(depth + 1, value + gains[depth]);
}

void PairEnumeration::visit_table(double value, const double* gains) {
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
  if (top <= best_) return;
  best_ = top;
  const auto first =
      static_cast<std::size_t>(std::find(values_.begin(), values_.end(), top) - values_.begin());
  std::copy(set_.begin(), set_.end(), best_set_.begin());
  for (std::size_t k = 0; k < tail_; ++k) {
    best_set_[head_ + k] = static_cast<std::uint8_t>((first >> (tail_ - 1 - k)) & 1U);
  }
}

}  // namespace gapwise::internal
