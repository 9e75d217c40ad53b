#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gapwise::internal {

/// Adds up a sparse vector of features, for vectors much smaller than the space they lie in: an
/// open-addressing table that is emptied in no time.
class SparseSum {
 public:
  /// Forgets everything and makes room for `count` calls of `add`.
  void start(std::size_t count) {
    std::size_t wanted = kFewestSlots;
    while (wanted < 2 * count) wanted *= 2;
    if (wanted > slots_.size()) slots_.assign(wanted, {});
    mask_ = slots_.size() - 1;
    if (++round_ == 0) {
      slots_.assign(slots_.size(), {});
      round_ = 1;
    }
    used_.clear();
  }
  void add(std::size_t feature, double value) {
    Slot& slot = slots_[find(feature)];
    if (slot.round != round_) {
      slot = {feature, 0.0, round_};
      used_.push_back(static_cast<std::size_t>(&slot - slots_.data()));
    }
    slot.value += value;
  }
  double operator[](std::size_t feature) const {
    const Slot& slot = slots_[find(feature)];
    return slot.round == round_ ? slot.value : 0.0;
  }
  double squared_norm() const {
    double sum = 0.0;
    for (const std::size_t at : used_) sum += slots_[at].value * slots_[at].value;
    return sum;
  }

 private:
  static constexpr std::size_t kFewestSlots = 256;
  struct Slot {
    std::size_t feature = 0;
    double value = 0.0;
    std::uint32_t round = 0;  ///< in use if it is the current one
  };

  /// Where the feature is or would be. There is always a free slot.
  std::size_t find(std::size_t feature) const {
    std::size_t at = (feature * 0x9e3779b97f4a7c15ULL >> 20) & mask_;
    while (slots_[at].round == round_ && slots_[at].feature != feature) at = (at + 1) & mask_;
    return at;
  }

  std::vector<Slot> slots_;
  std::vector<std::size_t> used_;
  std::size_t mask_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace gapwise::internal
