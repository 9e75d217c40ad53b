#include "infer/pair_local_search.h"

#include <numeric>

namespace gapwise::internal {
namespace {

/// Smaller gains may be rounding errors, which could go round in circles.
constexpr double kLeastGain = 1e-12;

}  // namespace

void PairLocalSearch::run(const PairProblem& problem, std::span<std::uint8_t> on) {
  const std::size_t size = problem.size();
  set_.assign(size, 0);
  const double from_empty = climb(problem);
  best_ = set_;
  for (std::size_t k = 0; k < size; ++k) {
    const double* pairs = problem.row(k);
    set_[k] = problem.single(k) + 0.5 * std::accumulate(pairs, pairs + size, 0.0) > 0.0 ? 1 : 0;
  }
  if (climb(problem) > from_empty) best_ = set_;
  for (std::size_t k = 0; k < size; ++k) on[problem.name(k)] = best_[k];
}

double PairLocalSearch::climb(const PairProblem& problem) {
  const std::size_t size = problem.size();
  value_ = 0.0;
  gains_.resize(size);
  for (std::size_t k = 0; k < size; ++k) gains_[k] = problem.single(k);
  std::vector<std::uint8_t> start(size, 0);
  start.swap(set_);
  for (std::size_t k = 0; k < size; ++k) {
    if (start[k] != 0) flip(problem, k);
  }
  while (improve_by_one(problem) || improve_by_two(problem)) {
  }
  return value_;
}

bool PairLocalSearch::improve_by_one(const PairProblem& problem) {
  std::size_t best = problem.size();
  double most = kLeastGain;
  for (std::size_t k = 0; k < problem.size(); ++k) {
    if (change(k) > most) {
      most = change(k);
      best = k;
    }
  }
  if (best == problem.size()) return false;
  flip(problem, best);
  return true;
}

bool PairLocalSearch::improve_by_two(const PairProblem& problem) {
  for (std::size_t k = 0; k < problem.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      const double pair = set_[k] == set_[j] ? problem.row(k)[j] : -problem.row(k)[j];
      if (change(k) + change(j) + pair <= kLeastGain) continue;
      flip(problem, k);
      flip(problem, j);
      return true;
    }
  }
  return false;
}

void PairLocalSearch::flip(const PairProblem& problem, std::size_t k) {
  value_ += change(k);
  const double sign = set_[k] != 0 ? -1.0 : 1.0;
  set_[k] ^= 1U;
  const double* pairs = problem.row(k);
  for (std::size_t j = 0; j < problem.size(); ++j) gains_[j] += sign * pairs[j];
}

}  // namespace gapwise::internal
