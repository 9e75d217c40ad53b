#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace gapwise::internal {

/// Asks for the first cache lines of `items`, to be there when they are needed. Always inlined:
/// GCC takes a function that only prefetches for one without effect and drops the call.
template <class T>
[[gnu::always_inline]] inline void prefetch(std::span<const T> items) {
  constexpr std::size_t kMostBytes = 1024;
  const auto* bytes = reinterpret_cast<const char*>(items.data());
  const std::size_t count = std::min(items.size_bytes(), kMostBytes);
  for (std::size_t at = 0; at < count; at += 64) __builtin_prefetch(bytes + at);
}

}  // namespace gapwise::internal
