#include "core/random.h"

#include <bit>

namespace gapwise::internal {

Rng::Rng(std::uint64_t seed) {
  // splitmix64, the seeding its authors recommend for xoshiro.
  for (auto& word : state_) {
    seed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    word = z ^ (z >> 31);
  }
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

Index Rng::below(Index n) {
  // Rejects the few draws that would make small results more likely.
  const auto range = static_cast<std::uint64_t>(n);
  const std::uint64_t reject_below = (0 - range) % range;
  std::uint64_t draw = next();
  while (draw < reject_below) draw = next();
  return static_cast<Index>(draw % range);
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

}  // namespace gapwise::internal
