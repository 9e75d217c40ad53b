#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gapwise::internal {

/// The bytes in the zlib format, at the fastest level.
std::string deflate_bytes(std::string_view bytes);

/// The `size` bytes behind what deflate_bytes made. Memory is taken as they come out, so a size
/// that is not true costs none. Throws InputError, which begins with `name`, if they are not all
/// there or if there are more.
std::string inflate_bytes(std::string_view packed, std::uint64_t size, const std::string& name);

}  // namespace gapwise::internal
