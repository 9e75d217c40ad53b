#pragma once

#include <array>
#include <string_view>

namespace gapwise::internal::cli {

/// A lower-case letter as 9 rows of 5 pixels, row by row: two rows for ascenders, five of body,
/// two for descenders.
struct Glyph {
  static constexpr int kRows = 9;
  static constexpr int kColumns = 5;
  std::string_view pixels;

  bool is_ink(int row, int column) const {
    if (row < 0 || row >= kRows || column < 0 || column >= kColumns) return false;
    return pixels[static_cast<std::size_t>(row * kColumns + column)] == '#';
  }
};

/// The letters a to z.
const std::array<Glyph, 26>& demo_font();

}  // namespace gapwise::internal::cli
