#include "report/band.h"

#include <algorithm>

namespace gapwise::internal {

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double middle =
      values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
  return {values.front(), middle, values.back()};
}

Band band_of(std::span<const Steps> runs) {
  std::vector<const Steps*> known;
  for (const Steps& run : runs) {
    if (!run.empty()) known.push_back(&run);
  }
  Band band;
  if (known.empty()) return band;
  double begin = known.front()->front().first;
  for (const Steps* const run : known) begin = std::max(begin, run->front().first);
  for (const Steps* const run : known) {
    for (const auto& [x, y] : *run) {
      if (x >= begin) band.x.push_back(x);
    }
  }
  band.x.push_back(begin);
  std::sort(band.x.begin(), band.x.end());
  band.x.erase(std::unique(band.x.begin(), band.x.end()), band.x.end());

  std::vector<std::size_t> next(known.size(), 0);  // behind the last measurement so far
  std::vector<double> values(known.size());
  for (const double x : band.x) {
    for (std::size_t k = 0; k < known.size(); ++k) {
      const Steps& run = *known[k];
      while (next[k] < run.size() && run[next[k]].first <= x) values[k] = run[next[k]++].second;
    }
    const Spread spread = spread_of(values);
    band.low.push_back(spread.low);
    band.middle.push_back(spread.middle);
    band.high.push_back(spread.high);
  }
  return band;
}

}  // namespace gapwise::internal
