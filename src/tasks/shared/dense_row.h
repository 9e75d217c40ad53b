#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// The features of one row added up in a dense vector, to take products with other rows.
class DenseRow {
 public:
  void load(const FeatureRow& row) {
    for (std::size_t f = 0; f < row.size; ++f) {
      const std::size_t a = attribute(row, f);
      if (a >= values_.size()) values_.resize(a + 1, 0.0);
      values_[a] += value(row, f);
    }
  }
  void unload(const FeatureRow& row) {
    for (std::size_t f = 0; f < row.size; ++f) values_[attribute(row, f)] = 0.0;
  }
  double dot(const FeatureRow& row) const {
    if (row.attributes == nullptr) return dense_dot(row);
    double sum = 0.0;
    for (std::size_t f = 0; f < row.size; ++f) {
      const std::size_t a = attribute(row, f);
      if (a < values_.size()) sum += value(row, f) * values_[a];
    }
    return sum;
  }

 private:
  static std::size_t attribute(const FeatureRow& row, std::size_t f) {
    return row.attributes != nullptr ? row.attributes[f] : f;
  }
  static double value(const FeatureRow& row, std::size_t f) {
    return row.values != nullptr ? row.values[f] : 1.0;
  }

  /// Several sums at once, so that they do not wait for each other.
  double dense_dot(const FeatureRow& row) const {
    constexpr std::size_t kSums = 8;
    const std::size_t size = std::min(row.size, values_.size());
    std::array<double, kSums> sums{};
    std::size_t a = 0;
    for (; a + kSums <= size; a += kSums) {
      for (std::size_t j = 0; j < kSums; ++j) sums[j] += row.values[a + j] * values_[a + j];
    }
    for (std::size_t j = 0; a < size; ++a, ++j) sums[j] += row.values[a] * values_[a];
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  }

  std::vector<double> values_;
};

/// Dense rows that are lent to one caller at a time.
class DenseRowPool {
 public:
  /// use(the row as a DenseRow). Several threads may call this at once.
  template <class Use>
  auto with(const FeatureRow& row, Use use) const {
    struct Loan {
      Loan(const DenseRowPool& from, const FeatureRow& what)
          : pool(from), row(what), dense(pool.take()) {
        dense->load(row);
      }
      ~Loan() {
        dense->unload(row);
        pool.give_back(std::move(dense));
      }
      Loan(const Loan&) = delete;
      Loan& operator=(const Loan&) = delete;
      const DenseRowPool& pool;
      const FeatureRow& row;
      std::unique_ptr<DenseRow> dense;
    };
    const Loan loan(*this, row);
    return use(*loan.dense);
  }

 private:
  std::unique_ptr<DenseRow> take() const {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<DenseRow>();
    std::unique_ptr<DenseRow> dense = std::move(idle_.back());
    idle_.pop_back();
    return dense;
  }
  void give_back(std::unique_ptr<DenseRow> dense) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(dense));
  }

  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<DenseRow>> idle_;
};

}  // namespace gapwise::internal
