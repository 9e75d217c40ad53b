#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gapwise::internal {

/// A value over something that grows: it holds from its x on, until the next one.
using Steps = std::vector<std::pair<double, double>>;

/// Several runs as one: at every x where one of them was measured, the lowest, the median and the
/// highest of what each had last seen. Nothing is said between measurements but what was true at
/// the last one, and a run that has ended keeps its value.
struct Band {
  std::vector<double> x;
  std::vector<double> low;
  std::vector<double> middle;
  std::vector<double> high;

  bool is_empty() const { return x.empty(); }
};

/// Begins where all runs have been measured once; a run without any value counts as not there.
Band band_of(std::span<const Steps> runs);

/// Lower, middle (the mean of two) and upper value of at least one number.
struct Spread {
  double low = 0.0;
  double middle = 0.0;
  double high = 0.0;
};
Spread spread_of(std::vector<double> values);

}  // namespace gapwise::internal
