#include "shell/reserve.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace gapwise::internal::cli {
namespace {

constexpr std::size_t kReserve = std::size_t{1} << 18;

std::atomic<void*> reserve{nullptr};

void use_reserve() {
  void* const kept = reserve.exchange(nullptr);
  if (kept == nullptr) throw std::bad_alloc();
  std::free(kept);
}

}  // namespace

void keep_reserve() {
  reserve = std::malloc(kReserve);
  std::set_new_handler(use_reserve);
}

}  // namespace gapwise::internal::cli
