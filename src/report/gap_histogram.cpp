#include "report/gap_histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gapwise::internal {
namespace {

constexpr double kPerPower = 2.0;  // bins
constexpr int kKept = 11;          // what is smaller adds up to nothing

/// The number of the bin, counted from the one that begins at 1.
int bin_of(double gap) {
  return static_cast<int>(std::floor(kPerPower * std::log10(gap)));
}

double edge_of(int bin) {
  return std::pow(10.0, bin / kPerPower);
}

}  // namespace

GapHistogram histogram_of(std::span<const double> gaps) {
  GapHistogram histogram;
  const double sum = std::accumulate(gaps.begin(), gaps.end(), 0.0);
  if (!(sum > 0.0)) {
    histogram.closed = std::ssize(gaps);
    return histogram;
  }
  const int last = bin_of(*std::max_element(gaps.begin(), gaps.end()));
  int first = last;
  const int lowest = last + 1 - kKept;
  for (const double gap : gaps) {
    if (gap > 0.0) first = std::max(lowest, std::min(first, bin_of(gap)));
  }
  for (int bin = first; bin <= last; ++bin) {
    histogram.bins.push_back({edge_of(bin), edge_of(bin + 1), 0, 0.0});
  }
  for (const double gap : gaps) {
    const int bin = gap > 0.0 ? bin_of(gap) : first - 1;
    if (bin < first) {
      ++histogram.closed;
      continue;
    }
    GapBin& found = histogram.bins[static_cast<std::size_t>(bin - first)];
    ++found.examples;
    found.share += gap / sum;
  }
  return histogram;
}

}  // namespace gapwise::internal
