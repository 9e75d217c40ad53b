#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Rows of a symmetric matrix that are computed when they are asked for and kept while there is
/// room; the one not used for longest goes first. What it holds changes no result.
class RowCache {
 public:
  using Row = std::shared_ptr<const std::vector<double>>;
  using Compute = std::function<void(Index row, std::span<double> out)>;

  RowCache(Index size, std::size_t max_bytes, Compute compute)
      : size_(static_cast<std::size_t>(size)),
        most_rows_(std::max<std::size_t>(1, max_bytes / (sizeof(double) * size_))),
        compute_(std::move(compute)) {}

  Row row(Index r) {
    const std::lock_guard lock(mutex_);
    if (const auto found = places_.find(r); found != places_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->values;
    }
    auto values = std::make_shared<std::vector<double>>(size_);
    compute_(r, *values);
    if (recent_.size() == most_rows_) {
      places_.erase(recent_.back().row);
      recent_.pop_back();
    }
    recent_.push_front({r, std::move(values)});
    places_[r] = recent_.begin();
    return recent_.front().values;
  }

 private:
  struct Entry {
    Index row;
    Row values;
  };

  std::size_t size_;
  std::size_t most_rows_;
  Compute compute_;
  std::mutex mutex_;
  std::list<Entry> recent_;  ///< most recently used first
  std::unordered_map<Index, std::list<Entry>::iterator> places_;
};

}  // namespace gapwise::internal
