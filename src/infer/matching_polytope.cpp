#include "gapwise/infer/matching_polytope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace gapwise {
namespace {

constexpr double kTolerance = 1e-12;
constexpr Index kMaxSweeps = 1'000'000;

/// A row or a column of the matrix to be projected, less the prices of the other side.
struct Line {
  const double* values;
  std::ptrdiff_t stride;
  std::span<const double> prices;

  double at(std::size_t k) const {
    return values[static_cast<std::ptrdiff_t>(k) * stride] - prices[k];
  }
};

/// The smallest price p >= 0 for which sum_k max(0, line[k] - p) <= 1.
double price_of(const Line& line, std::vector<double>& sorted) {
  sorted.clear();
  double sum = 0.0;
  for (std::size_t k = 0; k < line.prices.size(); ++k) {
    const double value = line.at(k);
    if (value <= 0.0) continue;
    sorted.push_back(value);
    sum += value;
  }
  if (sum <= 1.0) return 0.0;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double above = 0.0;
  double price = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    above += sorted[k];
    const double next = (above - 1.0) / static_cast<double>(k + 1);
    if (next >= sorted[k]) break;
    price = next;
  }
  return price;
}

/// How far a line is from what its price promises: a sum of at most 1, and of 1 if it has a price.
double residual(const Line& line, double price) {
  double sum = 0.0;
  for (std::size_t k = 0; k < line.prices.size(); ++k) sum += std::max(0.0, line.at(k) - price);
  return price > 0.0 ? std::fabs(sum - 1.0) : std::max(0.0, sum - 1.0);
}

}  // namespace

void project_onto_matchings(std::span<double> z, Index rows, Index columns, ProjectionStart start,
                            MatchingProjection& projection) {
  const auto height = static_cast<std::size_t>(rows);
  const auto width = static_cast<std::size_t>(columns);
  std::vector<double>& row_prices = projection.row_prices;
  std::vector<double>& column_prices = projection.column_prices;
  const bool is_warm = start == ProjectionStart::kWarm && row_prices.size() == height &&
                       column_prices.size() == width;
  if (!is_warm) {
    row_prices.assign(height, 0.0);
    column_prices.assign(width, 0.0);
  }
  const auto row = [&](std::size_t r) { return Line{z.data() + r * width, 1, column_prices}; };
  const auto column = [&](std::size_t c) { return Line{z.data() + c, columns, row_prices}; };

  double worst = 1.0;
  for (projection.sweeps = 0; worst > kTolerance && projection.sweeps < kMaxSweeps;
       ++projection.sweeps) {
    for (std::size_t r = 0; r < height; ++r) {
      row_prices[r] = price_of(row(r), projection.sorted);
    }
    for (std::size_t c = 0; c < width; ++c) {
      column_prices[c] = price_of(column(c), projection.sorted);
    }
    worst = 0.0;  // columns are right now, rows need not be
    for (std::size_t r = 0; r < height; ++r) {
      worst = std::max(worst, residual(row(r), row_prices[r]));
    }
  }
  for (std::size_t r = 0; r < height; ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      double& value = z[r * width + c];
      value = std::max(0.0, value - row_prices[r] - column_prices[c]);
    }
  }
}

}  // namespace gapwise
