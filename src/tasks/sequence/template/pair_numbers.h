#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace gapwise::internal {

/// Numbers by pairs of numbers: a hash table whose slots can be asked for before they are needed.
class PairNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// Asks for the memory of a pair. Inlined for the reason that core/prefetch.h tells.
  [[gnu::always_inline]] void prefetch(std::uint32_t a, std::uint32_t b) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[place(key_of(a, b))]);
  }
  /// The slot of a pair for reading or writing, with kNone in it if it is new. Valid until the next
  /// call.
  std::uint32_t& operator()(std::uint32_t a, std::uint32_t b) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    Slot& slot = slots_[find(key_of(a, b))];
    if (slot.key == kFree) {
      slot.key = key_of(a, b);
      ++size_;
    }
    return slot.number;
  }
  std::size_t size() const { return size_; }

 private:
  /// No pair: numbers stay below kNone.
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kFree;
    std::uint32_t number = kNone;
  };

  static std::uint64_t key_of(std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{a} << 32 | b;
  }
  std::size_t place(std::uint64_t key) const {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>((key * kGolden) >> shift_);
  }
  /// Where the key is or would be. There is always a free slot.
  std::size_t find(std::uint64_t key) const {
    std::size_t at = place(key);
    while (slots_[at].key != key && slots_[at].key != kFree) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? kFewest : 2 * slots_.size());
    old.swap(slots_);
    shift_ = 64 - std::countr_zero(slots_.size());
    for (const Slot& slot : old) {
      if (slot.key != kFree) slots_[find(slot.key)] = slot;
    }
  }

  static constexpr std::size_t kFewest = 64;
  std::vector<Slot> slots_;  ///< a power of two, at most three quarters full
  std::size_t size_ = 0;
  int shift_ = 0;
};

}  // namespace gapwise::internal
