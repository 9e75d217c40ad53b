#include "gapwise/core/parts.h"

#include <algorithm>
#include <bit>

namespace gapwise {
namespace {
constexpr std::size_t kInsertionSortLimit = 96;
}  // namespace

void Parts::normalize() {
  const auto by_id = [](const Part& a, const Part& b) { return a.id < b.id; };
  // Stable, so that equal ids are added in the order in which they were collected. Short lists are
  // sorted by insertion, which allocates nothing and is fast on the nearly sorted lists of
  // decoders.
  if (items_.size() <= kInsertionSortLimit) {
    for (std::size_t k = 1; k < items_.size(); ++k) {
      const Part part = items_[k];
      std::size_t at = k;
      for (; at > 0 && part.id < items_[at - 1].id; --at) items_[at] = items_[at - 1];
      items_[at] = part;
    }
  } else {
    std::stable_sort(items_.begin(), items_.end(), by_id);
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < items_.size();) {
    Part sum = items_[k++];
    while (k < items_.size() && items_[k].id == sum.id) sum.value += items_[k++].value;
    if (sum.value != 0.0) items_[kept++] = sum;
  }
  items_.resize(kept);
}

double Parts::dot(std::span<const double> scores) const {
  double sum = 0.0;
  for (const Part& part : items_) sum += part.value * scores[static_cast<std::size_t>(part.id)];
  return sum;
}

std::uint64_t Parts::hash() const {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ items_.size();
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ word) * 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  };
  for (const Part& part : items_) {
    mix(static_cast<std::uint64_t>(part.id));
    mix(std::bit_cast<std::uint64_t>(part.value));
  }
  return h;
}

void subtract(const Parts& a, const Parts& b, Parts& out) {
  out.clear();
  std::size_t ka = 0;
  std::size_t kb = 0;
  while (ka < a.size() && kb < b.size()) {
    if (a[ka].id < b[kb].id) {
      out.append(a[ka].id, a[ka].value);
      ++ka;
    } else if (b[kb].id < a[ka].id) {
      out.append(b[kb].id, -b[kb].value);
      ++kb;
    } else {
      out.append(a[ka].id, a[ka].value - b[kb].value);
      ++ka;
      ++kb;
    }
  }
  for (; ka < a.size(); ++ka) out.append(a[ka].id, a[ka].value);
  for (; kb < b.size(); ++kb) out.append(b[kb].id, -b[kb].value);
}

}  // namespace gapwise
