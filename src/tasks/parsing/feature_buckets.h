#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Numbers hashed features 0, 1, 2, ... in the order of their first appearance: a feature is the
/// lowest bits of its hash, its bucket, so different features may share a number. A table of all
/// buckets makes looking one up a single read; a bit for each bucket, which stays in the cache,
/// tells without it whether there is a number.
class FeatureBuckets {
 public:
  static constexpr std::uint32_t kUnknown = 0xffffffffU;
  static constexpr int kMostBits = 28;

  /// 1 <= bits <= kMostBits.
  explicit FeatureBuckets(int bits = 1)
      : numbers_(std::size_t{1} << bits, kUnknown), is_known_(numbers_.size() / 64 + 1, 0) {}

  std::size_t size() const { return buckets_.size(); }
  std::uint64_t bucket(std::uint64_t hash) const { return hash & (numbers_.size() - 1); }

  std::uint32_t add(std::uint64_t hash) {  ///< its number, a new one if need be
    std::uint32_t& number = numbers_[bucket(hash)];
    if (number == kUnknown) {
      number = static_cast<std::uint32_t>(buckets_.size());
      buckets_.push_back(static_cast<std::int64_t>(bucket(hash)));
      is_known_[bucket(hash) / 64] |= std::uint64_t{1} << (bucket(hash) % 64);
    }
    return number;
  }
  std::uint32_t find(std::uint64_t hash) const { return numbers_[bucket(hash)]; }
  bool contains(std::uint64_t hash) const {
    return ((is_known_[bucket(hash) / 64] >> (bucket(hash) % 64)) & 1) != 0;
  }

  std::span<const std::int64_t> buckets() const { return buckets_; }  ///< by number

 private:
  std::vector<std::uint32_t> numbers_;  ///< by bucket
  std::vector<std::uint64_t> is_known_;
  std::vector<std::int64_t> buckets_;
};

}  // namespace gapwise::internal
