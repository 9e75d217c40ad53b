#include "core/sums.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gapwise::internal {

double ordered_sum(std::span<const double> values) {
  double sum = 0.0;
  double lost = 0.0;
  for (const double x : values) {
    const double next = sum + x;
    lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  return sum + lost;
}

double dot(Weights a, Weights b) {
  // In blocks: as accurate as needed for I3 (1e-9) and fast.
  constexpr std::size_t kBlock = 256;
  std::vector<double> sums;
  sums.reserve(a.size() / kBlock + 1);
  for (std::size_t begin = 0; begin < a.size(); begin += kBlock) {
    const std::size_t end = std::min(a.size(), begin + kBlock);
    double sum = 0.0;
    for (std::size_t j = begin; j < end; ++j) sum += a[j] * b[j];
    sums.push_back(sum);
  }
  return ordered_sum(sums);
}

double squared_norm(Weights w) {
  return dot(w, w);
}

}  // namespace gapwise::internal
