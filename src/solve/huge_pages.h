#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace gapwise::internal {

/// Puts large arrays on huge pages where the system gives them. Weights of sparse features are read
/// all over the place, and with small pages nearly every read waits for a translation first.
template <class T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + kPage - 1) / kPage * kPage;
    if (bytes < kLeast) return std::allocator<T>().allocate(count);
    void* const at = std::aligned_alloc(kPage, bytes);
    if (at == nullptr) throw std::bad_alloc();
    madvise(at, bytes, MADV_HUGEPAGE);  // a wish: without it everything works, only slower
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + kPage - 1) / kPage * kPage;
    if (bytes < kLeast) return std::allocator<T>().deallocate(at, count);
    std::free(at);
  }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21;
  static constexpr std::size_t kLeast = 2 * kPage;
};

/// A vector for w, or for anything as long and as scattered.
using WeightVector = std::vector<double, HugePageAllocator<double>>;

}  // namespace gapwise::internal
