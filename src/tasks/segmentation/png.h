#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// A picture in memory: row by row, three bytes of red, green and blue for each pixel.
struct Picture {
  Index width = 0;
  Index height = 0;
  std::vector<std::uint8_t> bytes;
};

/// The picture as a PNG file.
std::string encode_png(const Picture& picture);

}  // namespace gapwise::internal
