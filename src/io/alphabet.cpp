#include "io/alphabet.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kFewestSlots = 64;

std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

Alphabet::Alphabet(int hash_bits) {
  if (hash_bits > 0) mask_ = (std::uint64_t{1} << hash_bits) - 1;
}

Alphabet Alphabet::from_names(std::span<const std::string> names) {
  Alphabet alphabet;
  for (const std::string& name : names) alphabet.add(name);
  return alphabet;
}

Alphabet Alphabet::from_buckets(int hash_bits, std::span<const std::int64_t> buckets) {
  Alphabet alphabet(hash_bits);
  for (const std::int64_t bucket : buckets) {
    alphabet.add(static_cast<std::uint64_t>(bucket), {});
  }
  return alphabet;
}

std::uint64_t Alphabet::hash_of(std::string_view name) const {
  return XXH3_64bits(name.data(), name.size()) & mask_;
}

std::string_view Alphabet::name(std::size_t id) const {
  const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
  return {text_.data() + begin, ends_[id] - begin};
}

std::string Alphabet::display_name(std::size_t id) const {
  return is_hashed() ? fmt::format("bucket {}", hashes_[id]) : std::string(name(id));
}

/// Where the name is or would be. There is always a free slot.
std::size_t Alphabet::slot_of(std::uint64_t hash, std::string_view wanted) const {
  const std::uint32_t tag = tag_of(hash);
  std::size_t at = hash & (slots_.size() - 1);
  while (true) {
    const Slot& slot = slots_[at];
    if (slot.id == kUnknown) return at;
    if (slot.tag == tag && hashes_[slot.id] == hash && (is_hashed() || name(slot.id) == wanted)) {
      return at;
    }
    at = (at + 1) & (slots_.size() - 1);
  }
}

std::uint32_t Alphabet::find(std::string_view name) const {
  return slots_.empty() ? kUnknown : slots_[slot_of(hash_of(name), name)].id;
}

std::uint32_t Alphabet::add(std::string_view name) {
  return add(hash_of(name), name);
}

std::uint32_t Alphabet::add(std::uint64_t hash, std::string_view name) {
  if (2 * (size() + 1) > slots_.size()) grow();
  Slot& slot = slots_[slot_of(hash, name)];
  if (slot.id == kUnknown) {
    if (size() + 1 >= kUnknown) {
      throw InputError(
          "more than 4294967294 different attributes; use \1hash-bits or a smaller template");
    }
    slot = {tag_of(hash), static_cast<std::uint32_t>(size())};
    hashes_.push_back(hash);
    if (!is_hashed()) {
      text_.append(name);
      ends_.push_back(text_.size());
    }
  }
  return slot.id;
}

void Alphabet::grow() {
  slots_.assign(slots_.empty() ? kFewestSlots : 2 * slots_.size(), Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t id = 0; id < size(); ++id) {
    std::size_t at = hashes_[id] & mask;
    while (slots_[at].id != kUnknown) at = (at + 1) & mask;
    slots_[at] = {tag_of(hashes_[id]), static_cast<std::uint32_t>(id)};
  }
}

std::vector<std::string> Alphabet::names() const {
  std::vector<std::string> names;
  for (std::size_t id = 0; id < ends_.size(); ++id) names.emplace_back(name(id));
  return names;
}

std::vector<std::int64_t> Alphabet::buckets() const {
  if (!is_hashed()) return {};
  return {hashes_.begin(), hashes_.end()};
}

Alphabet Alphabet::select(std::span<const std::uint32_t> ids) const {
  Alphabet chosen;
  chosen.mask_ = mask_;
  for (const std::uint32_t id : ids) {
    chosen.add(hashes_[id], is_hashed() ? std::string_view{} : name(id));
  }
  return chosen;
}

}  // namespace gapwise::internal
