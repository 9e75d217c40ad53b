#include "solve/records/record_arena.h"

#include <algorithm>

namespace gapwise::internal {

bool RecordArena::pack(Oracle& oracle, const std::vector<CornerSet>& corners) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (is_current(i, corners[i]) && corners[i].size() > 1) continue;
    if (places_[i] != kNowhere) {
      live_ -= record(static_cast<Index>(i)).words();
      places_[i] = kNowhere;
    }
    if (corners[i].size() < 2) continue;
    const auto words = packer_.pack(oracle, static_cast<Index>(i), corners[i], index_);
    if (words.empty() || live_ + words.size() > kMostWords) {
      clear();
      return false;
    }
    places_[i] = words_.size();
    revisions_[i] = corners[i].revision();
    live_ += words.size();
    words_.insert(words_.end(), words.begin(), words.end());
    const CornerRecord here = record(static_cast<Index>(i));
    most_elements_ = std::max(most_elements_, here.elements());
    most_lanes_ = std::max(most_lanes_, here.lanes());
  }
  if (words_.size() > 2 * live_) drop_garbage();
  return true;
}

void RecordArena::drop_garbage() {
  Words& kept = spare_;
  kept.clear();
  kept.reserve(live_ + live_ / 2);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i] == kNowhere) continue;
    const CornerRecord here = record(static_cast<Index>(i));
    const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(places_[i]);
    places_[i] = kept.size();
    kept.insert(kept.end(), begin, begin + static_cast<std::ptrdiff_t>(here.words()));
  }
  std::swap(words_, spare_);
}

void RecordArena::clear() {
  std::fill(places_.begin(), places_.end(), kNowhere);
  words_ = Words();
  spare_ = Words();
  live_ = 0;
  index_.clear();
}

}  // namespace gapwise::internal
