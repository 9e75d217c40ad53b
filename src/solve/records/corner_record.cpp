#include "solve/records/corner_record.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace gapwise::internal {
std::span<const std::uint64_t> RecordPacker::pack(Oracle& oracle, Index i, const CornerSet& corners,
                                                  WeightIndex& index) {
  parts_.clear();
  if (!oracle.describe(i, corners.ids(), parts_)) return {};
  const std::size_t mask_bytes = (static_cast<std::size_t>(corners.size()) + 7) / 8;
  find_uses(corners, mask_bytes);
  drop_common_uses(corners.size(), mask_bytes);
  elements_.clear();
  lists_.clear();
  singles_.clear();
  offsets_.clear();
  values_.clear();
  has_values_ = false;
  for (std::size_t row = 0; row < parts_.size(); ++row) add_row(row, index);
  write(corners, mask_bytes);
  return words_;
}

void RecordPacker::find_uses(const CornerSet& corners, std::size_t mask_bytes) {
  first_use_.assign(corners.ids().size(), kNoUse);
  uses_.clear();
  masks_.clear();
  for (std::int32_t p = 0; p < corners.size(); ++p) {
    const auto byte = static_cast<std::size_t>(p) / 8;
    const auto bit = static_cast<std::uint8_t>(1U << (p % 8));
    corners.for_each_part(p, [&](std::int32_t part, double value) {
      if (value == 0.0) return;
      const std::uint32_t use = use_of(static_cast<std::size_t>(part), value);
      if (use == uses_.size() - 1) masks_.resize(uses_.size() * mask_bytes, 0);
      masks_[use * mask_bytes + byte] |= bit;
    });
  }
}

std::uint32_t RecordPacker::use_of(std::size_t part, double value) {
  std::uint32_t* link = &first_use_[part];
  while (*link != kNoUse && uses_[*link].value != value) link = &uses_[*link].next;
  if (*link != kNoUse) return *link;
  const auto use = static_cast<std::uint32_t>(uses_.size());
  *link = use;
  uses_.push_back({value, kNoUse});
  return use;
}

/// What all corners have makes no difference between them.
void RecordPacker::drop_common_uses(int corners, std::size_t mask_bytes) {
  const auto is_common = [&](std::uint32_t use) {
    int count = 0;
    for (std::size_t byte = 0; byte < mask_bytes; ++byte) {
      count += std::popcount(masks_[use * mask_bytes + byte]);
    }
    return count == corners;
  };
  // Who has one value of a part has no other one.
  for (std::uint32_t& first : first_use_) {
    if (first != kNoUse && is_common(first)) first = kNoUse;
  }
}

template <class Visit>
void RecordPacker::for_each_use(const PartRows::Member& member, Visit visit) const {
  for (std::uint32_t use = first_use_[member.part]; use != kNoUse; use = uses_[use].next) {
    visit(use, member.factor * uses_[use].value);
  }
}

void RecordPacker::add_row(std::size_t row, WeightIndex& index) {
  const std::span<const PartRows::Feature> features = parts_.features(row);
  if (features.empty()) return;
  if (features.size() == 1) {
    for (const PartRows::Member& member : parts_.members(row)) {
      for_each_use(member, [&](std::uint32_t use, double factor) {
        const std::uint32_t at = index.number(member.base + features[0].offset);
        singles_.push_back({factor * features[0].value, at, use});
      });
    }
    return;
  }
  const auto count = static_cast<std::uint32_t>(features.size());
  const auto value = static_cast<std::uint32_t>(values_.size());
  const std::size_t before = elements_.size();
  for (const PartRows::Member& member : parts_.members(row)) {
    for_each_use(member, [&](std::uint32_t use, double factor) {
      const bool shares = elements_.size() > before && !index.is_compact();
      const auto first = shares ? lists_.back().first : static_cast<std::uint32_t>(offsets_.size());
      const Index base = index.is_compact() ? 0 : member.base;
      elements_.push_back({factor, static_cast<std::uint32_t>(base), use});
      lists_.push_back({first, count, value});
      if (shares) return;
      for (const PartRows::Feature& feature : features) {
        offsets_.push_back(index.is_compact() ? index.number(member.base + feature.offset)
                                              : static_cast<std::uint32_t>(feature.offset));
      }
    });
  }
  if (elements_.size() == before) return;
  for (const PartRows::Feature& feature : features) {
    values_.push_back(feature.value);
    has_values_ = has_values_ || feature.value != 1.0;
  }
}

void RecordPacker::write(const CornerSet& corners, std::size_t mask_bytes) {
  elements_.insert(elements_.end(), singles_.begin(), singles_.end());
  if (!has_values_) values_.clear();
  CornerRecord::Head head{};
  head.corners = static_cast<std::uint32_t>(corners.size());
  head.elements = static_cast<std::uint32_t>(elements_.size());
  head.lists = static_cast<std::uint32_t>(lists_.size());
  head.offsets = static_cast<std::uint32_t>(offsets_.size());
  head.values = static_cast<std::uint32_t>(values_.size());
  const std::size_t pairs = static_cast<std::size_t>(head.corners) * (head.corners - 1) / 2;
  const std::size_t doubles = kLanes * mask_bytes + pairs + elements_.size() + values_.size();
  const std::size_t bytes = sizeof head + doubles * sizeof(double) +
                            (elements_.size() + offsets_.size()) * sizeof(std::uint32_t) +
                            lists_.size() * sizeof(CornerRecord::List) +
                            elements_.size() * mask_bytes;
  head.words = static_cast<std::uint32_t>((bytes + 7) / 8);
  words_.assign(head.words, 0);

  auto* out = reinterpret_cast<unsigned char*>(words_.data());
  const auto put = [&out](const auto& item) {
    std::memcpy(out, &item, sizeof item);
    out += sizeof item;
  };
  put(head);
  for (std::size_t p = 0; p < kLanes * mask_bytes; ++p) {
    const bool is_corner = p < head.corners;
    put(is_corner ? corners.loss(static_cast<int>(p)) : -std::numeric_limits<double>::infinity());
  }
  for (std::size_t k = 0; k < pairs; ++k) put(std::numeric_limits<double>::quiet_NaN());
  for (const Element& element : elements_) put(element.factor);
  for (const double value : values_) put(value);
  for (const Element& element : elements_) put(element.base);
  for (const CornerRecord::List& list : lists_) put(list);
  for (const std::uint32_t offset : offsets_) put(offset);
  for (const Element& element : elements_) {
    std::memcpy(out, masks_.data() + element.use * mask_bytes, mask_bytes);
    out += mask_bytes;
  }
}

}  // namespace gapwise::internal
