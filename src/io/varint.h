#pragma once

#include <cstdint>

#include "core/archive.h"

namespace gapwise::internal {

/// Seven bits a byte, lowest first; the high bit says that more follow.
inline void write_varint(ByteWriter& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out.u8(static_cast<std::uint8_t>(value | 0x80U));
  out.u8(static_cast<std::uint8_t>(value));
}

inline std::uint64_t read_varint(ByteReader& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const std::uint64_t byte = in.u8();
    value |= (byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
  in.fail("holds a number of more than 63 bits; it is damaged");
}

}  // namespace gapwise::internal
