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
  explicit RecordArena(Index n)
      : places_(static_cast<std::size_t>(n), kNowhere), revisions_(static_cast<std::size_t>(n)) {}

  /// Brings the records up to date; false if there are none, because the oracle cannot describe its
  /// parts or they would take too much memory.
  bool pack(Oracle& oracle, const std::vector<CornerSet>& corners);
  /// Forgets all records.
  void clear();

  CornerRecord record(Index i) { return CornerRecord(words_.data() + place(i)); }

  /// Asks for the beginning of a record, and for all of it once its beginning is there.
  [[gnu::always_inline]] void prefetch_head(Index i) const {
    __builtin_prefetch(words_.data() + place(i));
  }
  [[gnu::always_inline]] void prefetch_all(Index i) const {
    constexpr std::size_t kWordsPerLine = 8;
    constexpr std::size_t kFetchedWords = 256;
    const std::uint64_t* const words = words_.data() + place(i);
    const std::size_t count = std::min<std::size_t>(CornerRecord::words_at(words), kFetchedWords);
    for (std::size_t at = kWordsPerLine; at < count; at += kWordsPerLine) {
      __builtin_prefetch(words + at);
    }
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  /// In 8 bytes each, beside what the run takes anyway.
  static constexpr std::size_t kMostWords = std::size_t{1} << 27;

  std::size_t place(Index i) const { return places_[static_cast<std::size_t>(i)]; }
  bool is_current(std::size_t i, const CornerSet& set) const {
    return places_[i] != kNowhere && revisions_[i] == set.revision();
  }
  void drop_garbage();

  std::vector<std::size_t> places_;       ///< of the records of the blocks
  std::vector<std::uint64_t> revisions_;  ///< of the corner sets that they were made from
  std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>> words_;
  std::size_t live_ = 0;  ///< of words_, those of some record
  RecordPacker packer_;
};

}  // namespace gapwise::internal
