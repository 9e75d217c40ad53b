#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace gapwise::internal {

/// sigma log sum exp(x / sigma), which is at least the largest x and at most sigma log(how many)
/// above it.
inline double soft_maximum(std::span<const double> x, double sigma) {
  const double largest = *std::max_element(x.begin(), x.end());
  double sum = 0.0;
  for (const double value : x) sum += std::exp((value - largest) / sigma);
  return largest + sigma * std::log(sum);
}

/// Its gradient: the distribution in proportion to exp(x / sigma).
inline void soft_argmax(std::span<const double> x, double sigma, std::span<double> out) {
  const double largest = *std::max_element(x.begin(), x.end());
  double sum = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += out[k] = std::exp((x[k] - largest) / sigma);
  for (double& share : out) share /= sum;
}

}  // namespace gapwise::internal
