#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "gapwise/types.h"

namespace gapwise::internal {

/// The one generator of every random choice: xoshiro256** seeded through splitmix64. Written here
/// because standard distributions differ between libraries, and the same seed must give the same
/// run on every platform. Its state is a value: copy it to save it.
class Rng {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit Rng(std::uint64_t seed);

  std::uint64_t next();
  Index below(Index n);  ///< uniform in 0..n-1 without modulo bias; n >= 1
  double uniform();      ///< uniform in [0, 1) with 53 random bits

  template <class T>
  void shuffle(std::span<T> items) {
    for (Index last = std::ssize(items) - 1; last > 0; --last) {
      std::swap(items[static_cast<std::size_t>(last)],
                items[static_cast<std::size_t>(below(last + 1))]);
    }
  }

  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  State state_{};
};

}  // namespace gapwise::internal
