#pragma once

#include <cstdint>
#include <vector>

#include "solve/frank_wolfe/corner_set.h"
#include "solve/huge_pages.h"
#include "solve/records/corner_record.h"

namespace gapwise::internal {

/// The records of all blocks with more than one corner, in one piece of memory. Only blocks whose
/// corners have changed are packed again.
class RecordArena {
 public:
  RecordArena(Index n, Index dimension)
      : index_(dimension),
        places_(static_cast<std::size_t>(n), kNowhere),
        revisions_(static_cast<std::size_t>(n)) {}

  /// Brings the records up to date; false if there are none, because the oracle cannot describe its
  /// parts or they would take too much memory.
  bool pack(Oracle& oracle, const std::vector<CornerSet>& corners);
  /// Forgets all records.
  void clear();

  CornerRecord record(Index i) { return CornerRecord(words(i)); }
  std::uint64_t* words(Index i) { return words_.data() + places_[static_cast<std::size_t>(i)]; }

  /// How records number the weights.
  const WeightIndex& index() const { return index_; }
  /// The most of any record so far.
  std::size_t most_elements() const { return most_elements_; }
  std::size_t most_lanes() const { return most_lanes_; }

  void save(StateWriter& out) const { index_.save(out); }
  void load(StateReader& in) {
    clear();
    index_.load(in);
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  /// In 8 bytes each, beside what the run takes anyway.
  static constexpr std::size_t kMostWords = std::size_t{1} << 27;

  bool is_current(std::size_t i, const CornerSet& set) const {
    return places_[i] != kNowhere && revisions_[i] == set.revision();
  }
  void drop_garbage();

  using Words = std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>>;

  WeightIndex index_;
  std::vector<std::size_t> places_;       ///< of the records of the blocks
  std::vector<std::uint64_t> revisions_;  ///< of the corner sets that they were made from
  Words words_;
  Words spare_;           ///< memory to move records to
  std::size_t live_ = 0;  ///< of words_, those of some record
  std::size_t most_elements_ = 0;
  std::size_t most_lanes_ = 0;
  RecordPacker packer_;
};

}  // namespace gapwise::internal
