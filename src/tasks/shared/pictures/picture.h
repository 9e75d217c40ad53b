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
/// One byte for each pixel, row by row, as a grey PNG file.
std::string encode_grey_png(Index width, Index height, const std::vector<std::uint8_t>& bytes);

}  // namespace gapwise::internal
