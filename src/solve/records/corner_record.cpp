#include "solve/records/corner_record.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace gapwise::internal {
namespace {

/// What offsets are counted in.
constexpr Index kMostWeights = std::numeric_limits<std::uint32_t>::max();

}  // namespace

double CornerRecord::cost() const {
  // Rough: in scores of single parts, as the cost of the max oracle is.
  constexpr double kPerVisit = 1.0;
  constexpr double kPerElement = 0.5;
  return kPerVisit + kPerElement * static_cast<double>(elements());
}

std::span<const std::uint64_t> RecordPacker::pack(Oracle& oracle, Index i,
                                                  const CornerSet& corners) {
  parts_.clear();
  if (!oracle.describe(i, corners.ids(), parts_)) return {};
  const std::size_t mask_bytes = (static_cast<std::size_t>(corners.size()) + 7) / 8;
  find_uses(corners, mask_bytes);
  rows_.clear();
  elements_.clear();
  singles_.clear();
  offsets_.clear();
  values_.clear();
  has_values_ = false;
  for (std::size_t row = 0; row < parts_.size(); ++row) {
    if (!add_row(row)) return {};
  }
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

bool RecordPacker::add_single(Index at, double factor, std::size_t part) {
  if (at < 0 || at > kMostWeights) return false;
  for (std::uint32_t use = first_use_[part]; use != kNoUse; use = uses_[use].next) {
    singles_.push_back({factor * uses_[use].value, static_cast<std::uint32_t>(at), use});
  }
  return true;
}

bool RecordPacker::add_row(std::size_t row) {
  const std::span<const PartRows::Feature> features = parts_.features(row);
  if (features.size() == 1) {
    for (const PartRows::Member& member : parts_.members(row)) {
      const double factor = member.factor * features[0].value;
      if (!add_single(member.base + features[0].offset, factor, member.part)) return false;
    }
    return true;
  }
  const std::size_t before = elements_.size();
  for (const PartRows::Member& member : parts_.members(row)) {
    if (member.base < 0 || member.base > kMostWeights) return false;
    for (std::uint32_t use = first_use_[member.part]; use != kNoUse; use = uses_[use].next) {
      const double factor = member.factor * uses_[use].value;
      elements_.push_back({factor, static_cast<std::uint32_t>(member.base), use});
    }
  }
  if (elements_.size() == before || features.empty()) {
    elements_.resize(before);
    return true;
  }
  for (const PartRows::Feature& feature : features) {
    if (feature.offset < 0 || feature.offset > kMostWeights) return false;
    offsets_.push_back(static_cast<std::uint32_t>(feature.offset));
    values_.push_back(feature.value);
    has_values_ = has_values_ || feature.value != 1.0;
  }
  rows_.push_back({static_cast<std::uint32_t>(elements_.size() - before),
                   static_cast<std::uint32_t>(features.size())});
  return true;
}

void RecordPacker::write(const CornerSet& corners, std::size_t mask_bytes) {
  elements_.insert(elements_.end(), singles_.begin(), singles_.end());
  CornerRecord::Head head{};
  head.corners = static_cast<std::uint32_t>(corners.size());
  head.rows = static_cast<std::uint32_t>(rows_.size());
  head.elements = static_cast<std::uint32_t>(elements_.size());
  head.offsets = static_cast<std::uint32_t>(offsets_.size());
  head.has_values = has_values_ ? 1 : 0;
  const std::size_t pairs = static_cast<std::size_t>(head.corners) * (head.corners - 1) / 2;
  const std::size_t doubles =
      kLanes * mask_bytes + pairs + elements_.size() + (has_values_ ? values_.size() : 0);
  const std::size_t bytes = sizeof head + doubles * sizeof(double) +
                            (elements_.size() + offsets_.size()) * sizeof(std::uint32_t) +
                            rows_.size() * sizeof(CornerRecord::Row) +
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
  if (has_values_) {
    for (const double value : values_) put(value);
  }
  for (const Element& element : elements_) put(element.base);
  for (const CornerRecord::Row& row : rows_) put(row);
  for (const std::uint32_t offset : offsets_) put(offset);
  for (const Element& element : elements_) {
    std::memcpy(out, masks_.data() + element.use * mask_bytes, mask_bytes);
    out += mask_bytes;
  }
}

}  // namespace gapwise::internal
