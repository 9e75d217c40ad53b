#include "gapwise/parts.h"

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

void Parts::assign_nonzeros(std::span<const Index> ids, std::span<const double> values) {
  items_.resize(ids.size());
  Part* to = items_.data();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    *to = {ids[k], values[k]};
    to += values[k] != 0.0 ? 1 : 0;
  }
  items_.resize(static_cast<std::size_t>(to - items_.data()));
}

void Parts::assign_negative(std::span<const double> values) {
  items_.resize(values.size());
  Part* to = items_.data();
  for (std::size_t id = 0; id < values.size(); ++id) {
    *to = {static_cast<Index>(id), -values[id]};
    to += values[id] != 0.0 ? 1 : 0;
  }
  items_.resize(static_cast<std::size_t>(to - items_.data()));
}

double Parts::dot(std::span<const double> scores) const {
  double sum = 0.0;
  for (const Part& part : items_) sum += part.value * scores[static_cast<std::size_t>(part.id)];
  return sum;
}

double Parts::dot(const Parts& other) const {
  double sum = 0.0;
  std::size_t k = 0;
  for (const Part& part : items_) {
    while (k < other.size() && other[k].id < part.id) ++k;
    if (k < other.size() && other[k].id == part.id) sum += part.value * other[k].value;
  }
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

namespace {

/// x if `take`, else 0, without a branch.
double keep_if(bool take, double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & (std::uint64_t{0} - take));
}

}  // namespace

void subtract(const Parts& a, const Parts& b, Parts& out) {
  out.items_.resize(a.size() + b.size());
  Part* to = out.items_.data();
  const Part* x = a.items_.data();
  const Part* y = b.items_.data();
  const Part* const x_end = x + a.size();
  const Part* const y_end = y + b.size();
  // How the two interleave cannot be predicted, so nothing in this loop branches on it.
  while (x != x_end && y != y_end) {
    const bool take_x = x->id <= y->id;
    const bool take_y = y->id <= x->id;
    *to++ = {take_x ? x->id : y->id, keep_if(take_x, x->value) - keep_if(take_y, y->value)};
    x += take_x;
    y += take_y;
  }
  for (; x != x_end; ++x) *to++ = *x;
  for (; y != y_end; ++y) *to++ = {y->id, -y->value};
  out.items_.resize(static_cast<std::size_t>(to - out.items_.data()));
}

void add_scaled(const Parts& a, double factor, const Parts& b, Parts& out) {
  out.items_.resize(a.size() + b.size());
  Part* to = out.items_.data();
  const Part* from = a.items_.data();
  const Part* const end = from + a.size();
  for (const Part& part : b) {
    for (; from != end && from->id < part.id; ++from) *to++ = *from;
    double value = factor * part.value;
    if (from != end && from->id == part.id) value += (from++)->value;
    *to = {part.id, value};
    to += value != 0.0 ? 1 : 0;
  }
  for (; from != end; ++from) *to++ = *from;
  out.items_.resize(static_cast<std::size_t>(to - out.items_.data()));
}

}  // namespace gapwise
