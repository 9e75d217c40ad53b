#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gapwise::internal {

/// Numbers names 0, 1, 2, ... in the order of their first appearance. Two forms: a dictionary keeps
/// the names (any bytes); a hashed alphabet keeps, for each number, only the bucket 0..2^bits-1 its
/// names fall into, so different names may share a number.
class Alphabet {
 public:
  static constexpr std::uint32_t kUnknown = 0xffffffffU;
  static constexpr int kMostHashBits = 30;

  Alphabet() = default;
  /// 0 bits: a dictionary.
  explicit Alphabet(int hash_bits);
  static Alphabet from_names(std::span<const std::string> names);
  static Alphabet from_buckets(int hash_bits, std::span<const std::int64_t> buckets);

  std::size_t size() const { return hashes_.size(); }
  bool is_hashed() const { return mask_ != kNoMask; }

  std::uint32_t add(std::string_view name);         ///< its number, a new one if need be
  std::uint32_t find(std::string_view name) const;  ///< its number or kUnknown

  std::string_view name(std::size_t id) const;     ///< of a dictionary; valid until the next add
  std::string display_name(std::size_t id) const;  ///< the name, or "bucket 123"

  std::vector<std::string> names() const;     ///< empty if hashed
  std::vector<std::int64_t> buckets() const;  ///< empty if not hashed
  /// The alphabet of the given numbers of this one, in that order.
  Alphabet select(std::span<const std::uint32_t> ids) const;

 private:
  static constexpr std::uint64_t kNoMask = ~std::uint64_t{0};
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = kUnknown;
  };

  std::uint64_t hash_of(std::string_view name) const;
  std::size_t slot_of(std::uint64_t hash, std::string_view name) const;
  std::uint32_t add(std::uint64_t hash, std::string_view name);
  void grow();

  std::uint64_t mask_ = kNoMask;
  std::vector<Slot> slots_;  ///< open addressing, a power of two, at most half full
  std::vector<std::uint64_t> hashes_;
  std::string text_;  ///< names, one after the other
  std::vector<std::size_t> ends_;
};

}  // namespace gapwise::internal
