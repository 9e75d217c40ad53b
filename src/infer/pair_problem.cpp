#include "infer/pair_problem.h"

#include <algorithm>
#include <numeric>

namespace gapwise::internal {

void PairProblem::load(const BinaryPairScores& scores) {
  const std::size_t labels = scores.labels;
  names_.resize(labels);
  std::iota(names_.begin(), names_.end(), std::size_t{0});
  singles_.assign(scores.singles, scores.singles + labels);
  pairs_.resize(labels * labels);
  const double* next = scores.pairs;
  for (std::size_t a = 0; a < labels; ++a) {
    pairs_[a * labels + a] = 0.0;
    for (std::size_t b = a + 1; b < labels; ++b) {
      pairs_[a * labels + b] = pairs_[b * labels + a] = *next++;
    }
  }
}

void PairProblem::list_terms(PairTerms& out) const {
  out.singles.assign(singles_.begin(), singles_.begin() + static_cast<std::ptrdiff_t>(size()));
  out.pairs.clear();
  for (std::size_t k = 0; k < size(); ++k) {
    for (std::size_t j = k + 1; j < size(); ++j) {
      const double score = row(k)[j];
      if (score == 0.0) continue;
      out.pairs.push_back({static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(j), score});
    }
  }
}

void PairProblem::decide_plain(std::span<std::uint8_t> on) {
  bool has_decided = true;
  while (has_decided && size() > 0) {
    has_decided = false;
    decisions_.assign(size(), Decision::kOpen);
    for (std::size_t k = 0; k < size(); ++k) {
      double least = single(k);
      double most = single(k);
      const double* pairs = row(k);
      for (std::size_t j = 0; j < size(); ++j) {
        least += std::min(pairs[j], 0.0);
        most += std::max(pairs[j], 0.0);
      }
      if (least <= 0.0 && most > 0.0) continue;
      decisions_[k] = least > 0.0 ? Decision::kOn : Decision::kOff;
      has_decided = true;
    }
    if (has_decided) decide(decisions_, on);
  }
}

void PairProblem::put_promising_first() {
  const std::size_t count = size();
  promises_ = singles_;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = 0; j < count; ++j) promises_[k] += std::max(row(k)[j], 0.0);
  }
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [this](std::size_t a, std::size_t b) { return promises_[a] > promises_[b]; });
  sorted_.clear();
  for (const std::size_t k : order_) {
    for (const std::size_t j : order_) sorted_.push_back(row(k)[j]);
  }
  pairs_.swap(sorted_);
  for (std::size_t k = 0; k < count; ++k) promises_[k] = singles_[order_[k]];
  singles_.swap(promises_);
  for (std::size_t& k : order_) k = names_[k];
  names_.swap(order_);
}

void PairProblem::decide(std::span<const Decision> decisions, std::span<std::uint8_t> on) {
  const std::size_t before = size();
  for (std::size_t k = 0; k < before; ++k) {
    if (decisions[k] == Decision::kOpen) continue;
    const bool is_on = decisions[k] == Decision::kOn;
    on[names_[k]] = is_on ? 1 : 0;
    if (!is_on) continue;
    for (std::size_t j = 0; j < before; ++j) singles_[j] += pairs_[k * before + j];
  }
  std::size_t kept = 0;
  std::size_t at = 0;  // never ahead of where it reads
  for (std::size_t k = 0; k < before; ++k) {
    if (decisions[k] != Decision::kOpen) continue;
    for (std::size_t j = 0; j < before; ++j) {
      if (decisions[j] == Decision::kOpen) pairs_[at++] = pairs_[k * before + j];
    }
    names_[kept] = names_[k];
    singles_[kept] = singles_[k];
    ++kept;
  }
  names_.resize(kept);
  singles_.resize(kept);
}

}  // namespace gapwise::internal
