#include "infer/matching/matching_polytope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace gapwise::internal {
namespace {

constexpr double kTolerance = 1e-12;
constexpr Index kMaxSweeps = 1'000'000;

/// The dual of the projection of a matrix a: maximise -1/2 |z|^2 - (all prices) over prices >= 0,
/// where z = max(0, a - row price - column price).
class PriceSearch {
 public:
  PriceSearch(std::span<const double> a, Index rows, Index columns, MatchingProjection& projection)
      : a_(a),
        rows_(static_cast<std::size_t>(rows)),
        columns_(static_cast<std::size_t>(columns)),
        row_prices_(projection.row_prices),
        column_prices_(projection.column_prices),
        sorted_(projection.sorted) {}

  double z(std::size_t r, std::size_t c) const {
    return std::max(0.0, a_[r * columns_ + c] - row_prices_[r] - column_prices_[c]);
  }

  /// Sets each price of the rows, then of the columns, to the best one for the others. Returns how
  /// far the worst row then is from what its price promises: a sum of at most 1, and of 1 if it has
  /// a price. Columns are right.
  double sweep() {
    for (std::size_t r = 0; r < rows_; ++r) {
      row_prices_[r] = best_price(
          columns_, [&](std::size_t c) { return a_[r * columns_ + c] - column_prices_[c]; });
    }
    for (std::size_t c = 0; c < columns_; ++c) {
      column_prices_[c] =
          best_price(rows_, [&](std::size_t r) { return a_[r * columns_ + c] - row_prices_[r]; });
    }
    double worst = 0.0;
    for (std::size_t r = 0; r < rows_; ++r) {
      double excess = -1.0;
      for (std::size_t c = 0; c < columns_; ++c) excess += z(r, c);
      worst = std::max(worst, row_prices_[r] > 0.0 ? std::fabs(excess) : excess);
    }
    return worst;
  }

  /// A Newton step on the prices that are positive now. As sweeps take turns, they converge slowly
  /// where many rows and columns share entries; once it is clear which prices and entries are
  /// positive, this step is exact. Taken back if the dual would fall.
  void leap() {
    const std::vector<double> before_rows = row_prices_;
    const std::vector<double> before_columns = column_prices_;
    const double before = dual();
    find_system();
    solve();
    for (std::size_t r = 0; r < rows_; ++r) move(row_prices_[r], step_[r]);
    for (std::size_t c = 0; c < columns_; ++c) move(column_prices_[c], step_[rows_ + c]);
    if (dual() > before) return;
    row_prices_ = before_rows;
    column_prices_ = before_columns;
  }

 private:
  struct Entry {
    std::size_t row;
    std::size_t column;
  };

  /// The smallest price p >= 0 for which sum_k max(0, value(k) - p) <= 1.
  template <class Value>
  double best_price(std::size_t size, Value value) {
    sorted_.clear();
    double sum = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      const double x = value(k);
      if (x <= 0.0) continue;
      sorted_.push_back(x);
      sum += x;
    }
    if (sum <= 1.0) return 0.0;
    std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
    double above = 0.0;
    double price = 0.0;
    for (std::size_t k = 0; k < sorted_.size(); ++k) {
      above += sorted_[k];
      const double next = (above - 1.0) / static_cast<double>(k + 1);
      if (next >= sorted_[k]) break;
      price = next;
    }
    return price;
  }

  static void move(double& price, double step) {
    if (price > 0.0) price = std::max(0.0, price + step);
  }

  double dual() const {
    double value = 0.0;
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) value -= 0.5 * z(r, c) * z(r, c);
      value -= row_prices_[r];
    }
    for (std::size_t c = 0; c < columns_; ++c) value -= column_prices_[c];
    return value;
  }

  /// The gradient of the dual at positive prices, and the entries that make up its Hessian.
  void find_system() {
    entries_.clear();
    residual_.assign(rows_ + columns_, -1.0);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) {
        const double value = z(r, c);
        if (value <= 0.0) continue;
        entries_.push_back({r, rows_ + c});
        residual_[r] += value;
        residual_[rows_ + c] += value;
      }
    }
    keep_positive(residual_);
  }

  /// Sets what belongs to prices of 0 to 0.
  void keep_positive(std::vector<double>& values) const {
    for (std::size_t r = 0; r < rows_; ++r) {
      if (row_prices_[r] <= 0.0) values[r] = 0.0;
    }
    for (std::size_t c = 0; c < columns_; ++c) {
      if (column_prices_[c] <= 0.0) values[rows_ + c] = 0.0;
    }
  }

  /// Conjugate gradients: step_ = (negative Hessian)^-1 gradient, which may be singular.
  void solve() {
    step_.assign(residual_.size(), 0.0);
    direction_ = residual_;
    double length = squared(residual_);
    const double enough = 1e-28 * length;
    for (std::size_t k = 0; k < 2 * residual_.size() && length > enough; ++k) {
      image_.assign(residual_.size(), 0.0);
      for (const Entry& entry : entries_) {
        const double sum = direction_[entry.row] + direction_[entry.column];
        image_[entry.row] += sum;
        image_[entry.column] += sum;
      }
      keep_positive(image_);
      double curvature = 0.0;
      for (std::size_t j = 0; j < image_.size(); ++j) curvature += image_[j] * direction_[j];
      if (curvature <= 0.0) return;
      const double alpha = length / curvature;
      for (std::size_t j = 0; j < step_.size(); ++j) {
        step_[j] += alpha * direction_[j];
        residual_[j] -= alpha * image_[j];
      }
      const double next = squared(residual_);
      for (std::size_t j = 0; j < direction_.size(); ++j) {
        direction_[j] = residual_[j] + next / length * direction_[j];
      }
      length = next;
    }
  }

  static double squared(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double x : values) sum += x * x;
    return sum;
  }

  std::span<const double> a_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<double>& row_prices_;
  std::vector<double>& column_prices_;
  std::vector<double>& sorted_;
  std::vector<Entry> entries_;
  std::vector<double> residual_;
  std::vector<double> step_;
  std::vector<double> direction_;
  std::vector<double> image_;
};

}  // namespace

void project_onto_matchings(std::span<double> z, Index rows, Index columns, ProjectionStart start,
                            MatchingProjection& projection) {
  const auto height = static_cast<std::size_t>(rows);
  const auto width = static_cast<std::size_t>(columns);
  const bool is_warm = start == ProjectionStart::kWarm && projection.row_prices.size() == height &&
                       projection.column_prices.size() == width;
  if (!is_warm) {
    projection.row_prices.assign(height, 0.0);
    projection.column_prices.assign(width, 0.0);
  }
  PriceSearch search(z, rows, columns, projection);
  for (projection.sweeps = 1; projection.sweeps < kMaxSweeps; ++projection.sweeps) {
    if (search.sweep() <= kTolerance) break;
    search.leap();
  }
  for (std::size_t r = 0; r < height; ++r) {
    for (std::size_t c = 0; c < width; ++c) z[r * width + c] = search.z(r, c);
  }
}

}  // namespace gapwise::internal
